import { storageSuite } from '../../../test/storage-suite.ts'
import { createDiskStorage } from './storage.ts'

storageSuite('the disk store', createDiskStorage)
