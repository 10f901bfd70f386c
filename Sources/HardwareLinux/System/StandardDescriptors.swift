// A program may be started with input, output or errors closed. The next file opened would take that number, and what is
// meant for the log would be written into it.

import Glibc

/// Sees to it that descriptors 0, 1 and 2 are open, on `/dev/null` where they were not.
package enum StandardDescriptors {
    /// Opens the null device in the place of each that is closed. Comes before anything else is opened.
    package static func fill(_ descriptors: [Int32] = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO]) {
        for descriptor in descriptors where fcntl(descriptor, F_GETFD) == -1 {
            let null = open("/dev/null", O_RDWR)
            guard null >= 0, null != descriptor else { continue }
            _ = dup2(null, descriptor)
            close(null)
        }
    }
}
