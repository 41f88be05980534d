import { describe, expect, it } from 'vitest'
import { makeServer } from '../../test/harness.ts'
import { createRoom, isDiskFull } from './room.ts'

const GB = 1024 ** 3

/** A disk that tests fill and empty, asked again each time. */
function makeDisk(totalBytes: number, minFreeBytes?: number) {
  const disk = { freeBytes: totalBytes, totalBytes, asked: 0 }
  const probe = async () => {
    disk.asked += 1
    return { freeBytes: disk.freeBytes, totalBytes }
  }
  return { disk, room: createRoom({ folder: '/', minFreeBytes, probe }) }
}

describe('the reserve', () => {
  it.each([
    [50 * GB, undefined, 2 * GB],
    [1000 * GB, undefined, 20 * GB],
    [1000 * GB, 5 * GB, 5 * GB],
    [50 * GB, 0, 0],
  ])('of a disk of %i bytes, where %s were wished, is %i', async (total, wished, reserve) => {
    expect((await makeDisk(total, wished).room.left()).reserveBytes).toBe(reserve)
  })

  it('lets in what leaves it whole, and refuses a byte more', async () => {
    const { room } = makeDisk(50 * GB)
    await room.require(48 * GB)
    await expect(room.require(48 * GB + 1)).rejects.toMatchObject({ failure: 'disk_full' })
  })

  it('is asked of the system once for many who ask at a time', async () => {
    const { disk, room } = makeDisk(50 * GB)
    await Promise.all(Array.from({ length: 50 }, () => room.has()))
    expect(disk.asked).toBe(1)
  })
})

it('a database without room says so by the same name as a full disk', async () => {
  const server = await makeServer()
  try {
    const full = server.ctx.pool.query(
      `do $$ begin raise exception 'no room' using errcode = '53100'; end $$`,
    )
    const error = await full.catch((thrown: unknown) => thrown)
    expect(isDiskFull(error)).toBe(true)
    // Every write fails as on a disk without room; whoever is signed in stays so.
    const who = await server.signUp()
    await server.ctx.pool.query(`
      create function without_room() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
      create trigger without_room before insert on projects for each row execute function without_room()`)
    const reply = await server.call('projects/create', { name: 'Ward', task: 'classification' }, who)
    expect([reply.status, reply.data.error]).toEqual([507, 'disk_full'])
    expect(reply.message).toMatch(/disk is nearly full.*Nothing was lost/)
    expect((await server.call('files/list', { folderId: null }, who)).code).toBe(10200)
    await server.ctx.pool.query('drop trigger without_room on projects')
    expect((await server.call('projects/create', { name: 'Ward', task: 'classification' }, who)).code).toBe(
      10200,
    )
  } finally {
    await server.close()
  }
})
