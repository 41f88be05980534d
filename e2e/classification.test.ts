/** From sign-in to a tested classifier, on few drawn pictures. */
import { drawClasses, syntheticFolder } from './data.ts'
import { walkMainJob } from './main-job.ts'

walkMainJob({
  folder: () => syntheticFolder('cells 细胞 клетки', (path) => drawClasses(path, { perClass: 20, side: 32 })),
  least: 0.8,
})
