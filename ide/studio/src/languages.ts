// Colours of texts while they are typed. The language service knows better what a name is; this needs no service.
import { StreamLanguage, type StreamParser, HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

interface Words {
  comment: RegExp;
  keyword: RegExp;
  type?: RegExp;
  meta?: RegExp;
  variable?: RegExp;
  brackets?: boolean;
  line: string;
}

// Any of these words.
const words = (list: string, end: string) => new RegExp(`^(${list.replaceAll(' ', '|')})${end}`);
const kWordEnd = '\\b';
const kListEnd = '(?=[\\s()])';

const kWords: Record<string, Words> = {
  rg: {
    comment: /^\/\/.*/,
    keyword: words('type const var', kWordEnd),
    meta: /^@[A-Za-z]+/,
    type: /^[A-Z]\w*/,
    variable: /^\$\$?\s*\w+/,
    line: '//',
  },
  hrg: {
    comment: /^\/\/.*/,
    keyword: words(
      'domain type const var graph loop branch or if else while forall in return where reusable once ' +
        'repeat and not when then',
      kWordEnd,
    ),
    type: /^[A-Z]\w*/,
    meta: /^@[A-Za-z]+/,
    variable: /^\$\s*\w*/,
    line: '//',
  },
  rbg: { comment: /^\/\/.*/, keyword: /^#[a-z-]+/, meta: /^->>?\w*/, variable: /^\$\w+/, type: /^~\w+/, line: '//' },
  gdl: {
    comment: /^;.*/,
    keyword: words('role init next legal does goal terminal true distinct base input not or and sees random', kListEnd),
    variable: /^\?\w+/,
    meta: /^<=/,
    line: ';',
  },
  ludax: {
    comment: /^(;;|\/\/).*/,
    keyword: words(
      'game players equipment board pieces rules start play end phase repeat once_through place move ' +
        'if and or not effects mover opponent win lose draw line by_winning connected captured',
      kListEnd,
    ),
    variable: /^:\w+/,
    type: /^"[^"]*"?/,
    line: '//',
  },
  ludii: {
    comment: /^\/\/.*/,
    keyword: words(
      'game players equipment board piece regions hand dice rules meta start play end phase phases move ' +
        'forEach if and or not then result define option item rulesets ruleset metadata',
      kListEnd,
    ),
    variable: /^(#\d|<[^<>()\s]+>)/,
    type: /^"[^"]*"?/,
    line: '//',
  },
  linegames: {
    comment: /^(?!)/,
    keyword: words('true false null', kWordEnd),
    type: /^"[^"]*"(?=\s*:)/,
    variable: /^"[^"]*"/,
    line: '//',
  },
};

function parser(name: string, words: Words): StreamParser<null> {
  return {
    name,
    token(stream) {
      if (stream.eatSpace()) return null;
      if (stream.match(words.comment)) return 'comment';
      if (stream.match(words.keyword)) return 'keyword';
      if (words.meta && stream.match(words.meta)) return 'meta';
      if (words.variable && stream.match(words.variable)) return 'variableName.special';
      if (words.type && stream.match(words.type)) return 'typeName';
      if (stream.match(/^\d+\b/)) return 'number';
      if (stream.match(/^"[^"]*"/)) return 'string';
      if (stream.match(/^[A-Za-z_][\w-]*/)) return null;
      if (stream.match(/^(==|!=|->|<=|[=!?*+])/)) return 'operator';
      stream.next();
      return null;
    },
    languageData: { commentTokens: { line: words.line }, closeBrackets: { brackets: ['(', '[', '{', '"'] } },
  };
}

const made = new Map(Object.entries(kWords).map(([name, words]) => [name, StreamLanguage.define(parser(name, words))]));

export function language(name: string) {
  return made.get(name) ?? made.get('rg')!;
}

export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.comment, class: 'c-comment' },
    { tag: tags.keyword, class: 'c-keyword' },
    { tag: tags.meta, class: 'c-meta' },
    { tag: tags.special(tags.variableName), class: 'c-special' },
    { tag: tags.typeName, class: 'c-type' },
    { tag: tags.number, class: 'c-number' },
    { tag: tags.string, class: 'c-string' },
    { tag: tags.operator, class: 'c-operator' },
  ]),
);
