/** The structured log of every process; hides secrets and must never be given a whole request body. */
import { type DestinationStream, type Logger, pino } from 'pino'

/** Fields that hold secrets, at the top and one level down: pino's `*.name` alone would leave the top one. */
const secrets = ['password', 'token', 'ticket', 'proof', 'cookie', 'secret', 'authorization'].flatMap(
  (name) => [name, `*.${name}`, `*.headers.${name}`],
)

/** Lines of JSON, to the standard output unless told otherwise. */
export const createLog = (level: string, process: string, to?: DestinationStream): Logger => {
  const options = { level, base: { process }, redact: { paths: secrets, censor: '[hidden]' } }
  return to ? pino(options, to) : pino(options)
}
