// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/alerts/blockedit.h"

#include <algorithm>

namespace lk {

namespace {

// Whether nothing else stands in the key's line but a comment.
bool isAlone(const QByteArray& line, const char* key)
{
    return line.trimmed().startsWith(key);
}

} // namespace

QByteArrayList blockOf(const QByteArray& header, const std::vector<BlockField>& fields)
{
    QByteArrayList block{header};
    for (const BlockField& field : fields) {
        if (!field.value.isEmpty())
            block << QByteArray(field.name) + " = " + field.value;
    }
    return block;
}

Result<ConfigEdit> changedBlock(const QByteArray& toml, const QString& fileName,
                                const toml::table& block, const std::vector<BlockField>& before,
                                const std::vector<BlockField>& now)
{
    ConfigLines lines(toml);
    const int first = int(block.source().begin.line);
    int after = lastLineOf(block);
    std::vector<int> removed;
    for (size_t i = 0; i < now.size(); ++i) {
        const toml::node* node = block.get(now[i].name);
        if (now[i].value == before[i].value)
            continue;
        if (node && node->source().begin.line != node->source().end.line)
            return notWritten(fileName);
        if (node && !now[i].value.isEmpty()) {
            lines.replace(node->source(), now[i].value);
        } else if (node) {
            const int line = int(node->source().begin.line);
            if (!isAlone(lines.line(line), now[i].name))
                return notWritten(fileName);
            removed.push_back(line);
        } else if (!now[i].value.isEmpty()) {
            lines.insertAfter(after++, QByteArray(now[i].name) + " = " + now[i].value);
        }
    }
    // From below, so that those above stay where they were.
    std::sort(removed.rbegin(), removed.rend());
    for (const int line : removed)
        lines.remove(line);
    after -= int(removed.size());
    QByteArrayList written;
    for (int line = first; line <= after; ++line)
        written << lines.line(line);
    return ConfigEdit{lines.text(), written.join('\n'), first, after};
}

} // namespace lk
