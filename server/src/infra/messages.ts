/** Text messages to people. The trial keeps them in a folder of its own instead of sending them. */
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { newId } from './ids.ts'

export type TextMessage = {
  /** With a plus sign and the area code. */
  to: string
  text: string
}

export type Messages = {
  /** False: nothing can be sent, so nothing that needs it is offered. */
  canSend: boolean
  /** Resolves once the message is handed over; rejects when it is not. */
  sendText(message: TextMessage): Promise<void>
}

export const outboxFolder = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'outbox')

/** Real providers belong to production; until one is set up there, nothing is sent and nothing is kept. */
export function createMessages(config: Config, now: () => Date): Messages {
  if (config.mode === 'production') {
    return { canSend: false, sendText: () => Promise.reject(new Error('No provider for text messages')) }
  }
  const folder = outboxFolder(config)
  return {
    canSend: true,
    async sendText({ to, text }) {
      await mkdir(folder, { recursive: true })
      const at = now().toISOString()
      // Names sort by time.
      const name = `${at.replaceAll(/[:.]/g, '-')}-${newId()}.json`
      const path = join(folder, name)
      await writeFile(`${path}.part`, `${JSON.stringify({ kind: 'sms', to, text, at })}\n`)
      await rename(`${path}.part`, path)
    },
  }
}
