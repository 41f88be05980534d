/** A demand as its reader sees it. */
import type { Delivery, Demand, DemandCard, Offer } from '@neuroloom/contract/market/demand'

const card: DemandCard = {
  ...{ id: 'demand-1', title: 'Outline nuclei', task: 'segmentation', budgetFen: 200_000, state: 'open' },
  ...{ deadline: '2027-03-01', owner: { id: 'owner-1', nickName: 'Pathology' }, isOwn: false, offers: 1 },
  ...{ hasOffered: false, createdAt: '2027-01-01T09:00:00.000Z' },
}

export const makeDemandCard = (changes: Partial<DemandCard> = {}): DemandCard => ({ ...card, ...changes })

export const makeDemand = (changes: Partial<Demand> = {}): Demand => ({
  ...card,
  ...{
    description: 'Whole outlines, please.',
    attachments: [],
    folders: 0,
    data: [],
    offerList: [],
    work: null,
    may: [],
  },
  ...changes,
})

export const makeOffer = (changes: Partial<Offer> = {}): Offer => ({
  ...{ id: 'offer-1', provider: { id: 'provider-1', nickName: 'Label studio' }, priceFen: 150_050, days: 14 },
  ...{ text: 'Two readers.', milestones: [], revision: 1, at: '2027-01-02T09:00:00.000Z' },
  ...changes,
})

export const makeDelivery = (changes: Partial<Delivery> = {}): Delivery => ({
  ...{ id: 'delivery-1', part: 0, text: 'All masks.', files: [], state: 'waiting', answer: '' },
  ...{ at: '2027-01-05T09:00:00.000Z', ...changes },
})

export const makeWork = (
  changes: Partial<NonNullable<Demand['work']>> = {},
): NonNullable<Demand['work']> => ({
  ...{ offer: makeOffer(), isProvider: false, accepted: 0, heldFen: 150_050, releasedFen: 0, deliveries: [] },
  ...{ assignedAt: '2027-01-03T09:00:00.000Z', dispute: null, rating: null, end: null },
  ...changes,
})
