declare module 'markdown-it' {
  export default class MarkdownIt {
    constructor(options?: { readonly html?: boolean });
    render(markdown: string): string;
  }
}
