/** From sign-in to a tested classifier on real images. */
import { drawClasses, pictureFolder } from '../data.ts'
import { walkMainJob } from '../main-job.ts'

walkMainJob({
  folder: () =>
    pictureFolder({
      set: 'classification-mednist',
      name: 'MedNIST 医学 снимки',
      // A fifth of them, so that all of a training fits; the whole set has its bench (accuracy).
      keep: (path) => /([05]\.jpeg|README\.md)$/.test(path),
      synthetic: drawClasses,
    }),
  least: 0.95,
})
