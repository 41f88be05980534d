/** Loaded as one: who looks around in the shop opens models. */
export { MerchandiseDetail } from './merchandise-detail.tsx'
export { ShopHome } from './shop-home.tsx'
