/** Loaded as one: who reads demands opens and posts them. */
export { CaseDetail } from './case-detail.tsx'
export { DemandDetail } from './demand-detail.tsx'
export { OrderHome } from './order-home.tsx'
export { PostDemand } from './post-demand.tsx'
export { ServiceProviderDetail } from './service-provider-detail.tsx'
