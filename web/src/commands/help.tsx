import { Dialog } from "../ui/dialog";
import { Keys } from "../ui/keys";
import { SECTIONS, useAllCommands } from "./command";

/** Every key, made from the commands themselves. */
export function HelpSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const commands = useAllCommands();
  const latest = [...new Map(commands.map((command) => [command.id, command])).values()];
  return (
    <Dialog title="Keys" open={open} onClose={onClose} wide>
      <div className="columns-1 gap-8 sm:columns-2">
        {SECTIONS.map((section) => {
          const here = latest.filter((command) => command.section === section && command.keys);
          if (here.length === 0) return null;
          return (
            <section key={section} className="mb-5 break-inside-avoid">
              <h3 className="mb-1 text-sm font-medium text-muted">{section}</h3>
              <dl>
                {here.map((command) => (
                  <div key={command.id} className="flex items-center justify-between py-0.5">
                    <dt>{command.title}</dt>
                    <dd>
                      <Keys of={command.keys ?? ""} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </Dialog>
  );
}
