import { resolve } from 'node:path'
import type { Command } from '../command.ts'
import { makeBackup } from './backup.ts'
import { readManifest, rowCountOf } from './folder.ts'
import { restore, type Target } from './restore.ts'
import { verifyBackup, verifyStorage } from './verify.ts'

export const backupCommands: Readonly<Record<string, Command>> = {
  backup: {
    words: '<folder>',
    does: 'writes all rows, files and the secret key to a folder, while the server runs; what the folder has is not copied again',
    run: async (ctx, [folder = '']) => {
      const path = resolve(folder)
      const { manifest, copied, known } = await makeBackup(ctx, path)
      const done = `${rowCountOf(manifest)} rows and ${manifest.fileCount} files stand in ${path}: ${copied} files were copied, ${known} were there. It holds the secret key: keep it as safe as the server.`
      if (manifest.missing.length === 0) return done
      throw new Error(
        [
          done,
          'These files are damaged or missing on the server, and are not in the backup:',
          ...manifest.missing,
        ].join('\n'),
      )
    },
  },
  verify: {
    words: '[backup folder]',
    does: 'reads all stored bytes again and names what is damaged or missing, on the server or in a backup',
    run: async (ctx) => saidOfStorage(await verifyStorage(ctx)),
  },
}

/** Needs no database. */
export async function verifyFolder(folder: string): Promise<string> {
  const path = resolve(folder)
  const manifest = await readManifest(path)
  const problems = await verifyBackup(path, manifest)
  if (problems.length > 0) throw new Error(['The backup is damaged:', ...problems].join('\n'))
  return `The backup of ${manifest.madeAt} is whole: ${rowCountOf(manifest)} rows, ${manifest.fileCount} files.`
}

function saidOfStorage({ count, damages }: Awaited<ReturnType<typeof verifyStorage>>): string {
  if (damages.length === 0) return `All ${count} stored files are as they were stored.`
  const lines = damages.flatMap(({ sha256, state, users }) => [
    `${state}: ${sha256}`,
    ...users.map((user) => `  needed by ${user}`),
  ])
  throw new Error(
    [`${damages.length} of ${count} stored files are not as they were stored:`, ...lines].join('\n'),
  )
}

/** Needs no running server, and no key in DATA_DIR. */
export const restoreCommand = {
  words: '<folder>',
  does: 'brings a backup into an empty installation, with the server stopped',
  run: async (target: Target, folder: string): Promise<string> => {
    const manifest = await restore(target, resolve(folder))
    const lines = [
      `${rowCountOf(manifest)} rows and ${manifest.fileCount} files of ${manifest.madeAt} were restored and compared. Start the server with the settings of before.`,
    ]
    if (manifest.missing.length > 0) lines.push('Not in the backup:', ...manifest.missing)
    return lines.join('\n')
  },
}
