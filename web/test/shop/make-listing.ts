/** A model of the shop as its reader sees it. */
import type { Listing, ListingCard } from '@neuroloom/contract/shop/listing'
import type { OwnListing } from '@neuroloom/contract/shop/seller'

const card: ListingCard = {
  ...{ id: 'model-1', name: 'Nuclei', introduction: 'Outlines nuclei.', task: 'segmentation' },
  ...{ organ: 'tissue', modality: 'microscopy', licence: 'single_use', priceYuan: 100, score: 0.91 },
  ...{ parameters: 1_900_000, seller: 'Pathology', rating: { stars: 4.5, reviews: 2 }, usedIn: 3 },
  ...{ listedAt: '2027-01-01T09:00:00.000Z', held: null, isDisputed: false },
}

export const makeCard = (changes: Partial<ListingCard> = {}): ListingCard => ({ ...card, ...changes })

export const makeListing = ({
  mine,
  ...changes
}: Partial<Omit<Listing, 'mine'>> & { mine?: Partial<Listing['mine']> } = {}): Listing => ({
  ...card,
  ...{ features: 'Small\nFast', dataLicence: 'CC BY 4.0', intendedUse: 'Teaching', outOfScope: 'Diagnosis' },
  ...{
    limitations: 'Crowded nuclei',
    population: 'Five hospitals',
    state: 'listed',
    isOwn: false,
    version: 2,
  },
  versions: [
    { number: 2, note: 'More images', at: '2027-01-02T09:00:00.000Z', score: 0.91, metrics: {} },
    { number: 1, note: '', at: '2027-01-01T09:00:00.000Z', score: 0.88, metrics: {} },
  ],
  network: { id: 'unet_small', isOwn: false, name: 'unet_small' },
  graph: '',
  classes: ['background', 'nucleus'],
  learned: {
    ...{ items: 400, cases: 380, epochs: 30, imageSize: [256, 256], startFrom: null },
    trainedAt: '2027-01-01T08:00:00.000Z',
  },
  verified: {
    ...{ score: 0.91, metrics: { dice: 0.91, iou: 0.84 }, items: 40, part: 'held_out', signature: 'c2ln' },
    perClass: [{ class: 'nucleus', values: { dice: 0.91 } }],
    interval: { low: 0.88, high: 0.93 },
    testedAt: '2027-01-02T09:00:00.000Z',
  },
  ...{ refusal: null, banReason: '' },
  ...changes,
  mine: {
    ...{ sale: null, mayReview: false, points: 150, places: { most: 1, held: [] }, drives: [] },
    ...mine,
  },
})

export const makeOwnListing = (changes: Partial<OwnListing> = {}): OwnListing => ({
  ...card,
  ...{ state: 'listed', version: 1, refusal: null, banReason: '', openClaims: 0 },
  sold: { count: 2, fen: 19_400, points: 0 },
  ...changes,
})

export const sale: NonNullable<Listing['mine']['sale']> = {
  ...{ orderNo: '20270101000000000001', state: 'held', unit: 'fen', amount: 10_000, claim: null },
  refundUntil: '2027-01-08T09:00:00.000Z',
}
