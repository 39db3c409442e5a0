/** bin/build.mjs puts the text of the file into the bundle. */
declare module '*.html' {
  const text: string;
  export default text;
}
