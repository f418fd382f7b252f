// `lint`: the checks of `npm test` that run no test.
import test from './test.mjs'

export default (args) => test(['--only', 'build,format,clippy,biome,types', ...args])
