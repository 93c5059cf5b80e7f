import { Eye, EyeOff } from "lucide-react";
import { useState } from "react";
import { IconButton } from "../ui/button";
import { Input } from "../ui/field";

interface Props {
  label?: string;
  name?: string;
  autoComplete: "current-password" | "new-password";
  minLength?: number;
  hint?: string;
  error?: string | null;
}

/** A password, which can be looked at while it is typed. */
export function PasswordInput({ label = "Password", name = "password", ...rest }: Props) {
  const [shown, setShown] = useState(false);
  const Icon = shown ? EyeOff : Eye;
  return (
    <div className="relative">
      <Input
        label={label}
        name={name}
        type={shown ? "text" : "password"}
        maxLength={1000}
        required
        className="pr-9"
        {...rest}
      />
      {/* As high as the field, which comes after the line of its label. */}
      <span className="absolute right-0.5 top-[25px]">
        <IconButton label={`${shown ? "Hide" : "Show"}: ${label}`} onClick={() => setShown(!shown)}>
          <Icon className="size-4" aria-hidden />
        </IconButton>
      </span>
    </div>
  );
}
