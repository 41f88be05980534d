/** Turns the text of an expression into a small tree; it knows no values and must not evaluate anything. */

export type Expr =
  | { kind: 'literal'; value: number | boolean | string }
  | { kind: 'name'; name: string; at: number }
  | { kind: 'list'; items: Expr[] }
  | { kind: 'member'; of: Expr; name: string; at: number }
  | { kind: 'index'; of: Expr; index: Expr; at: number }
  | { kind: 'call'; name: string; args: Expr[]; at: number }
  | { kind: 'unary'; op: '-' | '!'; value: Expr; at: number }
  | { kind: 'binary'; op: string; left: Expr; right: Expr; at: number }
  | { kind: 'choice'; test: Expr; yes: Expr; no: Expr }

/** Why an expression has no value; locale keys `graphError.bad_expression_<problem>`. */
export const expressionProblems = [
  'syntax',
  'too_long',
  'unknown_name',
  'unknown_function',
  'arguments',
  'not_a_number',
  'divide_by_zero',
  'index',
] as const
export type ExpressionProblem = (typeof expressionProblems)[number]

/** Stays inside this folder: `resolve` turns it into a model error. */
export class ExpressionError extends Error {
  readonly problem: ExpressionProblem
  /** Character position in the text, counted from 0 (without the leading `=`). */
  readonly at: number
  readonly symbol: string
  readonly nearest: string | null

  constructor(problem: ExpressionProblem, at: number, symbol = '', nearest: string | null = null) {
    super(`${problem} at ${at} ${symbol}`)
    this.problem = problem
    this.at = at
    this.symbol = symbol
    this.nearest = nearest
  }
}

/** Long enough for every rule of the catalogue, short enough that no text can exhaust the stack. */
const longest = 500
const deepest = 40

export function parseExpression(text: string): Expr {
  if (text.length > longest) throw new ExpressionError('too_long', longest)
  const reader = new Reader(tokenize(text), text.length)
  const tree = readChoice(reader)
  if (reader.peek() !== undefined) reader.refuse()
  return tree
}

type Token = { kind: 'number' | 'name' | 'text' | 'sign'; text: string; at: number }

const pattern =
  /\s*(?:(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{Mn}\p{Mc}\p{Nd}_]*)|'([^']*)'|"([^"]*)"|(\/\/|==|!=|<=|>=|&&|\|\||[-+*/%^<>!?:()[\],.]))/uy

function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  const end = text.trimEnd().length
  pattern.lastIndex = 0
  while (pattern.lastIndex < end) {
    const from = pattern.lastIndex
    const match = pattern.exec(text)
    if (match === null) throw new ExpressionError('syntax', from, text.slice(from).trim().slice(0, 1))
    tokens.push(toToken(match))
  }
  return tokens
}

function toToken(match: RegExpExecArray): Token {
  const [whole, number, name, single, double, sign] = match
  const at = match.index + whole.length - whole.trimStart().length
  if (number !== undefined) return { kind: 'number', text: number, at }
  if (name !== undefined) return { kind: 'name', text: name, at }
  if (sign !== undefined) return { kind: 'sign', text: sign, at }
  return { kind: 'text', text: single ?? double ?? '', at }
}

class Reader {
  private next = 0
  private depth = 0
  private readonly tokens: Token[]
  private readonly end: number

  constructor(tokens: Token[], end: number) {
    this.tokens = tokens
    this.end = end
  }

  peek(): Token | undefined {
    return this.tokens[this.next]
  }

  take(): Token {
    const token = this.tokens[this.next]
    if (token === undefined) this.refuse()
    this.next += 1
    return token
  }

  /** Takes the next token when it is one of these signs. */
  accept(...signs: string[]): Token | undefined {
    const token = this.tokens[this.next]
    if (token?.kind !== 'sign' || !signs.includes(token.text)) return undefined
    this.next += 1
    return token
  }

  expect(sign: string): void {
    if (this.accept(sign) === undefined) this.refuse()
  }

  nested<T>(read: () => T): T {
    if (this.depth >= deepest) throw new ExpressionError('too_long', this.peek()?.at ?? this.end)
    this.depth += 1
    const result = read()
    this.depth -= 1
    return result
  }

  refuse(): never {
    const token = this.peek()
    throw new ExpressionError('syntax', token?.at ?? this.end, token?.text ?? '')
  }
}

function readChoice(reader: Reader): Expr {
  return reader.nested(() => {
    const test = readBinary(reader, 0)
    if (reader.accept('?') === undefined) return test
    const yes = readChoice(reader)
    reader.expect(':')
    return { kind: 'choice', test, yes, no: readChoice(reader) }
  })
}

/** From loosest to tightest; all group from the left. */
const levels = [['||'], ['&&'], ['==', '!='], ['<', '<=', '>', '>='], ['+', '-'], ['*', '/', '//', '%']]

function readBinary(reader: Reader, level: number): Expr {
  const signs = levels[level]
  if (signs === undefined) return readUnary(reader)
  let left = readBinary(reader, level + 1)
  for (let sign = reader.accept(...signs); sign !== undefined; sign = reader.accept(...signs)) {
    left = { kind: 'binary', op: sign.text, left, right: readBinary(reader, level + 1), at: sign.at }
  }
  return left
}

function readUnary(reader: Reader): Expr {
  const sign = reader.accept('-', '!')
  if (sign === undefined) return readPower(reader)
  const op = sign.text === '!' ? '!' : '-'
  return { kind: 'unary', op, value: reader.nested(() => readUnary(reader)), at: sign.at }
}

/** Powers bind tighter than a sign before them and group from the right: -2^2 is -4, 2^3^2 is 512. */
function readPower(reader: Reader): Expr {
  const base = readPostfix(reader)
  const sign = reader.accept('^')
  if (sign === undefined) return base
  const right = reader.nested(() => readUnary(reader))
  return { kind: 'binary', op: '^', left: base, right, at: sign.at }
}

function readPostfix(reader: Reader): Expr {
  let value = readAtom(reader)
  for (let sign = reader.accept('.', '['); sign !== undefined; sign = reader.accept('.', '[')) {
    if (sign.text === '.') {
      if (reader.peek()?.kind !== 'name') reader.refuse()
      value = { kind: 'member', of: value, name: reader.take().text, at: sign.at }
      continue
    }
    value = { kind: 'index', of: value, index: readChoice(reader), at: sign.at }
    reader.expect(']')
  }
  return value
}

function readAtom(reader: Reader): Expr {
  if (reader.accept('(') !== undefined) {
    const inner = readChoice(reader)
    reader.expect(')')
    return inner
  }
  if (reader.accept('[') !== undefined) return { kind: 'list', items: readItems(reader, ']') }
  if (reader.peek()?.kind === 'sign') reader.refuse()
  const token = reader.take()
  if (token.kind === 'number') return { kind: 'literal', value: Number(token.text) }
  if (token.kind === 'text') return { kind: 'literal', value: token.text }
  if (reader.accept('(') !== undefined) {
    return { kind: 'call', name: token.text, args: readItems(reader, ')'), at: token.at }
  }
  if (token.text === 'true' || token.text === 'false') {
    return { kind: 'literal', value: token.text === 'true' }
  }
  return { kind: 'name', name: token.text, at: token.at }
}

function readItems(reader: Reader, close: string): Expr[] {
  const items: Expr[] = []
  if (reader.accept(close) !== undefined) return items
  do items.push(readChoice(reader))
  while (reader.accept(',') !== undefined)
  reader.expect(close)
  return items
}
