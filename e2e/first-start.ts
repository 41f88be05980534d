/**
 * The product's first start on an empty folder, once for all files: each product of theirs begins from a copy of what
 * this one left, with its samples recognised and its device told, as anybody finds it the day after.
 */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { poll, signIn, untilDeviceIsTold } from '../bench/client.ts'
import { makeMeasuredPython } from '../server/test/measured-python.ts'
import { leave, removeData, startProduct } from './stack.ts'

export default async function setup() {
  const pythonDir = mkdtempSync(join(tmpdir(), 'neuroloom-python-'))
  const python = makeMeasuredPython(pythonDir)
  const product = await startProduct({ python })
  try {
    const client = await signIn(product)
    await untilDeviceIsTold(client)
    const { projects } = await client.call('projects/list', {})
    for (const { id } of projects)
      await poll(
        () => client.call('datasets/list', { projectId: id }),
        ({ datasets }) => datasets.every(({ state }) => state !== 'checking'),
      )
    await client.call('user/logout', {})
  } finally {
    await product.stop()
  }
  const { dataDir, administrator, member } = product
  leave({ dataDir, administrator, member, python })
  return async () => {
    for (const folder of [dataDir, pythonDir]) await removeData(folder)
  }
}
