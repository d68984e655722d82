import address from './late.css?url';

let arriving: Promise<void> | undefined;

/** The styles of what is no part of the first load. Asked for again when they did not come, which the browser's own way of importing them is not. */
export function lateStyle(): Promise<void> {
  arriving ??= new Promise<void>((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = address;
    link.onload = () => resolve();
    link.onerror = () => {
      link.remove();
      arriving = undefined;
      reject(new Error('the styles could not be loaded'));
    };
    document.head.append(link);
  });
  return arriving;
}
