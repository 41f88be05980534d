import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestServer } from './harness.ts'

const root = join(import.meta.dirname, '..')

/** One of the server's programs and what Node needs for it: built where the whole run built it, else from its source. */
export function programOf(name: 'admin' | 'main' | 'worker'): { script: string; execArgv: string[] } {
  return process.env.OWN_SCRIPTS === 'built'
    ? { script: join(root, 'bundle', `${name}.js`), execArgv: [] }
    : {
        script: join(root, 'src', `${name}.ts`),
        execArgv: ['--conditions=neuroloom-source', '--import', 'tsx'],
      }
}

/** `npm run admin` as an operator calls it, beside the running server. */
export function admin({ ctx }: TestServer, ...words: string[]): Promise<{ stdout: string; stderr: string }> {
  const { script, execArgv } = programOf('admin')
  const env = { PATH: process.env.PATH, DATABASE_URL: ctx.config.databaseUrl, DATA_DIR: ctx.config.dataDir }
  return promisify(execFile)(process.execPath, [...execArgv, script, ...words], { cwd: root, env })
}

/** What it says on its way out when it refuses. */
export const refusalOf = (server: TestServer, ...words: string[]): Promise<string> =>
  admin(server, ...words).then(
    ({ stdout }) => `not refused: ${stdout}`,
    ({ stderr }: { stderr: string }) => stderr,
  )
