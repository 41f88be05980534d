/** Members who meet on the market: somebody with work to be done, providers, and what goes on between them. */
import { roles } from '@neuroloom/contract/accounts/roles'
import type { Body } from '@neuroloom/contract/calls'
import { dayMs } from '@neuroloom/contract/limits'
import type { Demand } from '@neuroloom/contract/market/demand'
import { expect } from 'vitest'
import type { Session, TestServer } from './harness.ts'
import { makeBuyer, payFor, setMember } from './payments/member.ts'

const OK = 10200

export async function makeProvider(server: TestServer): Promise<Session> {
  const who = await makeBuyer(server)
  await setMember(server, who, { role: roles.provider })
  return who
}

export const demandForm = (changes: Partial<Body<'demand/post'>> = {}): Body<'demand/post'> => ({
  title: 'Outline nuclei in 200 images',
  task: 'segmentation',
  description: 'Whole outlines, one mask an image.',
  budgetFen: 200_000,
  deadline: new Date(Date.now() + 30 * dayMs).toISOString().slice(0, 10),
  ...changes,
})

export async function postDemand(
  server: TestServer,
  owner: Session,
  changes: Partial<Body<'demand/post'>> = {},
): Promise<Demand> {
  const { code, message, data } = await server.call('demand/post', demandForm(changes), owner)
  expect(code, message).toBe(OK)
  return data
}

export async function makeOffer(
  server: TestServer,
  provider: Session,
  { demandId, ...changes }: { demandId: string } & Partial<Body<'offer/save'>>,
): Promise<Demand> {
  const offer = {
    demandId,
    priceFen: 150_050,
    days: 14,
    text: 'Two readers, then one of us checks.',
    ...changes,
  }
  const { code, message, data } = await server.call('offer/save', offer, provider)
  expect(code, message).toBe(OK)
  return data
}

/** The owner orders what this provider offers, and pays at the cashier. */
export async function orderWork(
  server: TestServer,
  { owner, provider, demandId }: { owner: Session; provider: Session; demandId: string },
): Promise<string> {
  const { data: demand } = await server.call('demand/detail', { id: demandId }, owner)
  const offer = demand.offerList.find((one) => one.provider.id === provider.userId)
  if (!offer) throw new Error('There is no such offer')
  const { id: offerId, revision } = offer
  const { code, message, data } = await server.call(
    'offer/select',
    { offerId, revision, payMethod: 1 },
    owner,
  )
  expect(code, message).toBe(OK)
  expect((await payFor(server, data.orderNo)).status).toBe(200)
  return data.orderNo
}

/** A demand that is ordered and paid. */
export async function assignedDemand(
  server: TestServer,
  { owner, provider, ...offer }: { owner: Session; provider: Session } & Partial<Body<'offer/save'>>,
): Promise<{ id: string; orderNo: string }> {
  const { id } = await postDemand(server, owner)
  await makeOffer(server, provider, { ...offer, demandId: id })
  return { id, orderNo: await orderWork(server, { owner, provider, demandId: id }) }
}

/** The provider delivers, and the delivery's id. */
export async function deliverWork(
  server: TestServer,
  provider: Session,
  { id, ...rest }: { id: string } & Partial<Body<'demand/deliver'>>,
): Promise<string> {
  const { code, message, data } = await server.call(
    'demand/deliver',
    { id, text: 'Here it is.', ...rest },
    provider,
  )
  expect(code, message).toBe(OK)
  return data.work?.deliveries.at(-1)?.id ?? ''
}
