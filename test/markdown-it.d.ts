declare module 'markdown-it' {
  type Token = { readonly type: string; readonly content: string; readonly children: readonly Token[] | null };
  export default class MarkdownIt {
    constructor(options?: { readonly html?: boolean });
    render(markdown: string): string;
    parse(markdown: string, environment: object): readonly Token[];
  }
}
