/** Keeps what lies in the data folder from other users of the machine. Looks into nothing. */
import { chmod, mkdir, readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What was left open to others before everything was made closed; what is below needs no change of its own. */
const once = {
  folders: ['blobs', 'staging', 'thumbnails', 'views', 'looks', 'checks', 'runs', 's3-cache', 'outbox'],
  files: ['secret', 'postgres.password'],
}

/** From here on whatever this process and its children make is theirs alone. */
export async function keepPrivate(dataDir: string): Promise<void> {
  process.umask(0o077)
  await mkdir(dataDir, { recursive: true })
  // A folder with something in it may be there for more than us: its own mode is its owner's choice.
  if ((await readdir(dataDir)).length === 0) await close(dataDir, 0o700)
  for (const name of once.folders) await close(join(dataDir, name), 0o700)
  for (const name of once.files) await close(join(dataDir, name), 0o600)
}

async function close(path: string, mode: number): Promise<void> {
  const entry = await stat(path).catch(() => null)
  if (entry && (entry.mode & 0o077) !== 0 && entry.uid === process.getuid?.()) await chmod(path, mode)
}
