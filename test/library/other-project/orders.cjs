const process = require('node:process');
const { startSandbox, SandboxError } = require('merchant-orders/sandbox');

startSandbox()
  .then(async (sandbox) => {
    try {
      sandbox.moveOrder('UB-1', 'DELIVERED');
    } catch (error) {
      process.stdout.write(`${error instanceof SandboxError} ${error.name} ${error.code}\n`);
    }
    await sandbox.stop();
  })
  .then(() => process.stdout.write('stopped\n'));
