import type { CommandFlags, DownloadView } from '#engine/call/command-view.ts';

/** The flags of a command that downloads a list. */
export function downloadFlags(operation: string, { noun, formats }: DownloadView): CommandFlags {
  const mayBeFolder = formats.includes('markdown');
  return {
    out: {
      hint: mayBeFolder ? 'FILE.jsonl|FOLDER' : 'FILE',
      about: mayBeFolder
        ? `Write the ${noun}s as they come, one a line, or each as a markdown file; without it they go to standard output`
        : `Write the ${noun}s there; without it they go to standard output`,
    },
    format: { hint: formats.join('|'), about: 'What is written; unless given the name of --out decides' },
    resume: {
      hint: null,
      about: `Go on with what --out holds, or write what a job has: quern ${operation} --resume JOB`,
    },
    quiet: { hint: null, about: 'No progress and no summary' },
  };
}
