import { clsx } from "clsx";
import type { ComponentProps, ReactNode, Ref } from "react";

interface Props extends ComponentProps<"textarea"> {
  value: string;
  /** Type and padding: the same for the text and for its shadow. */
  look: string;
  box?: Ref<HTMLTextAreaElement>;
  /** Where a marker is wanted in the shadow, to know the place of a letter. */
  marked?: { at: number; ref: Ref<HTMLSpanElement> };
  children?: ReactNode;
}

/** A text field as tall as its text: an invisible copy beneath it makes the room. */
export function Growing({ value, look, box, marked, className, children, ...rest }: Props) {
  const at = marked?.at ?? value.length;
  return (
    <div className={clsx("relative grid", className)}>
      <div aria-hidden className={clsx("invisible col-start-1 row-start-1 break-words whitespace-pre-wrap", look)}>
        {value.slice(0, at)}
        <span ref={marked?.ref} />
        {`${value.slice(at)}\u200b`}
      </div>
      <textarea
        ref={box}
        value={value}
        rows={1}
        className={clsx("col-start-1 row-start-1 w-full resize-none overflow-hidden break-words bg-transparent", look)}
        {...rest}
      />
      {children}
    </div>
  );
}
