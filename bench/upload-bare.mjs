/** The least that a server must do with a file: take it, hash it, put it on the disk for good. */
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'

const [folder = '.'] = process.argv.slice(2)
let number = 0

const server = createServer(async (request, response) => {
  number += 1
  const file = await open(join(folder, String(number)), 'w')
  const hash = createHash('sha256')
  for await (const piece of request) {
    hash.update(piece)
    await file.write(piece)
  }
  await file.sync()
  await file.close()
  response.end(hash.digest('hex'))
})
server.listen(0, '127.0.0.1', () => console.log(`port ${server.address().port}`))
