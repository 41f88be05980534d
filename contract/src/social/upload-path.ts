/** One image as the body of the request, without a name: it is looked at, and its pixels alone are kept. Apart from the schemas, so that pages need not load those. */
export const IMAGE_UPLOAD_PATH = 'social/image'
