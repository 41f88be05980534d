/** Loaded as one: who reads demands opens and posts them. */
export { DemandDetail } from './demand-detail.tsx'
export { OrderHome } from './order-home.tsx'
export { PostDemand } from './post-demand.tsx'
