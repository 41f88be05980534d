/** A mail server that takes messages for nobody in particular and keeps them. */
import { type AddressInfo, createServer, type Socket } from 'node:net'

export type Received = { from: string; to: string[]; subject: string; text: string; headers: string }
type Behaviour = 'takes' | 'refuses' | 'hangs'

export type MailServer = {
  /** With the name and password that it asks for. */
  url: string
  received: Received[]
  behave(behaviour: Behaviour): void
  close(): Promise<void>
}

const LOGIN = { user: 'neuroloom', pass: 'secret' }

export async function startMailServer(): Promise<MailServer> {
  const received: Received[] = []
  const sockets = new Set<Socket>()
  let behaviour: Behaviour = 'takes'
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
    if (behaviour !== 'hangs') converse(socket, { received, refuses: behaviour === 'refuses' })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // Listening on a port of TCP, never on a pipe.
  const { port } = server.address() as AddressInfo
  return {
    url: `smtp://${LOGIN.user}:${LOGIN.pass}@127.0.0.1:${port}`,
    received,
    behave: (next) => {
      behaviour = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      }),
  }
}

type Talk = {
  say(line: string): void
  envelope: { from: string; to: string[] }
  refuses: boolean
  isIn: boolean
  isData: boolean
}

/** Just so much of RFC 5321 as one message needs. */
const commands: [RegExp, (talk: Talk, given: string) => void][] = [
  [/^EHLO/i, ({ say }) => say('250-stand-in\r\n250 AUTH PLAIN')],
  [
    /^AUTH PLAIN (.+)/i,
    (talk, given) => {
      talk.isIn = Buffer.from(given, 'base64').toString() === `\0${LOGIN.user}\0${LOGIN.pass}`
      talk.say(talk.isIn ? '235 in' : '535 no')
    },
  ],
  [
    /^MAIL FROM:<(.*?)>/i,
    ({ say, isIn, envelope }, from) => {
      envelope.from = from
      say(isIn ? '250 ok' : '530 who')
    },
  ],
  [
    /^RCPT TO:<(.*?)>/i,
    ({ say, refuses, envelope }, to) => {
      envelope.to.push(to)
      say(refuses ? '550 no such box' : '250 ok')
    },
  ],
  [/^DATA/i, ({ say }) => say('354 go on')],
  [/^RSET/i, ({ say }) => say('250 ok')],
  [/^QUIT/i, ({ say }) => say('221 bye')],
]

function converse(socket: Socket, { received, refuses }: { received: Received[]; refuses: boolean }): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  const talk: Talk = { say, envelope: { from: '', to: [] }, refuses, isIn: false, isData: false }
  let rest = ''
  say('220 stand-in')
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    rest += chunk
    for (;;) {
      const ending = talk.isData ? '\r\n.\r\n' : '\r\n'
      const end = rest.indexOf(ending)
      if (end < 0) return
      const text = rest.slice(0, end)
      rest = rest.slice(end + ending.length)
      if (!talk.isData) answer(talk, text)
      else {
        received.push({ ...talk.envelope, ...parse(text) })
        say('250 taken')
      }
      talk.isData = !talk.isData && /^DATA/i.test(text)
    }
  })
}

function answer(talk: Talk, line: string): void {
  const command = commands.find(([pattern]) => pattern.test(line))
  if (!command) talk.say('502 unknown')
  else command[1](talk, command[0].exec(line)?.[1] ?? '')
}

function parse(message: string): Pick<Received, 'subject' | 'text' | 'headers'> {
  const [headers = '', body = ''] = message.split(/\r\n\r\n(.*)/s)
  const subject = /^Subject: (.*(?:\r\n .*)*)/m.exec(headers)?.[1] ?? ''
  const encoding = /^Content-Transfer-Encoding: (.*)/m.exec(headers)?.[1]
  return { headers, subject: words(subject), text: decoded(body, encoding).replaceAll('\r\n', '\n') }
}

/** RFC 2047. */
const words = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([BQ])\?(.*?)\?=/gi, (_, kind: string, coded: string) =>
      decoded(
        kind === 'B' ? coded : coded.replaceAll('_', ' '),
        kind === 'B' ? 'base64' : 'quoted-printable',
      ),
    )

function decoded(text: string, encoding: string | undefined): string {
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return text
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
