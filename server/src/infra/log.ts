/** The structured log of every process; hides secrets and must never be given a whole request body. */
import { type DestinationStream, type Logger, pino } from 'pino'

/** Lines of JSON, to the standard output unless told otherwise. */
export const createLog = (level: string, process: string, to?: DestinationStream): Logger => {
  const options = {
    level,
    base: { process },
    redact: { paths: secrets, censor: '[hidden]' },
    serializers: { err: describe },
  }
  return to ? pino(options, to) : pino(options)
}

/** Fields that hold secrets, at the top and one level down: pino's `*.name` alone would leave the top one. */
const secrets = ['password', 'token', 'ticket', 'proof', 'cookie', 'secret', 'authorization'].flatMap(
  (name) => [name, `*.${name}`, `*.headers.${name}`],
)

/** Where and why, with all causes. Other fields stay out: drivers hang connections, values and keys on their errors. */
function describe(error: unknown): unknown {
  if (!(error instanceof Error)) return String(error)
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '))
  return {
    type: error.name,
    message: withoutValues(error.message),
    ...('code' in error ? { code: error.code } : {}),
    stack: frames?.join('\n'),
    ...(error.cause === undefined ? {} : { cause: describe(error.cause) }),
  }
}

/** The query builder puts the values behind the statement: names, addresses, digests of passwords. */
const withoutValues = (message: string): string => message.replace(/\nparams: [\s\S]*$/, '')
