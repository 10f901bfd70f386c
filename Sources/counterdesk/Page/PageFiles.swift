// The page's files (`Resources/page`), read anew for each request: whoever changes one reloads the page.

import BoxAssembly

struct PageFiles {
    private static let types = [
        "html": "text/html; charset=utf-8", "css": "text/css; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "svg": "image/svg+xml", "json": "application/json",
    ]

    let resources: ResourceFolder

    /// - Returns: nil where there is no such file.
    func load(_ name: String) -> (bytes: [UInt8], type: String)? {
        guard let end = name.split(separator: ".").last, let type = Self.types[String(end)],
            let bytes = resources.read("page/" + name)
        else { return nil }
        return (bytes, type)
    }
}
