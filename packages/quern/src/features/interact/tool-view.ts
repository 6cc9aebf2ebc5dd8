import { CHANGES, type ToolView } from '#engine/call/tool-view.ts';
import { withJson } from '#features/schema/shown-page.ts';

/** The tool that acts in a browser; the forms of its actions are its grammar. */
export const INTERACT_TOOL: ToolView = {
  tool: {
    name: 'interact',
    title: 'Act in a page',
    task: 'a page that must be clicked or typed into',
    about:
      'Use this when a page must be clicked, typed into or scrolled before it shows what is wanted. Give actions, or a prompt where the service has a model. All actions and their members: call with help: true.',
    hints: CHANGES,
  },
  members: {
    url: 'Where it begins',
    actions:
      'In order: {type: click|type|press|select|check|hover|scroll|wait|goto|content|extract|screenshot|evaluate|back|repeat|if …, target: a CSS selector or {text|role+name|label|placeholder}}. Such as [{"type": "type", "target": {"label": "Search"}, "text": "mill"}, {"type": "press", "key": "Enter"}, {"type": "content", "name": "page", "output": "markdown"}]',
    prompt: 'What is to be reached, in words, instead of actions',
    output: 'Formats of the page at the end',
    extract: 'Fields of the page at the end, as fetch takes them',
    variables: 'Values for {{name}} in typed text, never logged',
    session: 'Name that keeps cookies, so that a login lasts for fetch and crawl',
  },
  asJob: true,
  toInput(given) {
    const { extract, output, prompt } = given;
    return extract === undefined || prompt !== undefined ? given : { ...given, output: withJson(output, []) };
  },
};
