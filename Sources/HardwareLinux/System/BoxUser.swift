// The box's user, for verbs that root calls: what root may says nothing of what the box may.

import CLinux
import Glibc

/// Lets root take on the rights of the box's user: what root may says nothing of what the box may.
package enum BoxUser {
    /// Whose rights are to be taken on; nil where one's own are right.
    package static func toBecome(ownerOf folder: String, as user: uid_t = geteuid()) -> uid_t? {
        guard user == 0, let owner = Files.owner(of: folder), owner.user != 0 else { return nil }
        return owner.user
    }

    /// Gives root's rights up for those of the folder's owner and of that user's groups, for good: access(2) goes by the
    /// real user.
    ///
    /// - Returns: false where nothing was to be done.
    package static func become(ownerOf folder: String) throws(SystemError) -> Bool {
        guard let user = toBecome(ownerOf: folder) else { return false }
        try takeGroups(of: user, or: Files.owner(of: folder)?.group ?? gid_t(user))
        guard setuid(user) == 0 else { throw .last("setuid \(user)") }
        return true
    }

    /// - Parameter group: of a user whom this system does not know.
    private static func takeGroups(of user: uid_t, or group: gid_t) throws(SystemError) {
        guard let entry = getpwuid(user) else {
            guard setgroups(0, nil) == 0 else { throw .last("setgroups") }
            guard setgid(group) == 0 else { throw .last("setgid \(group)") }
            return
        }
        let own = entry.pointee.pw_gid
        guard initgroups(entry.pointee.pw_name, own) == 0 else { throw .last("initgroups") }
        guard setgid(own) == 0 else { throw .last("setgid \(own)") }
    }
}
