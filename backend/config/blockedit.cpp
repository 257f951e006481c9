// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/blockedit.h"

#include <algorithm>
#include <numeric>

namespace lk {

namespace {

// Whether nothing else stands in the key's line but a comment.
bool isAlone(const QByteArray& line, const char* key)
{
    return line.trimmed().startsWith(key);
}

toml::parse_result parsed(const QByteArray& toml)
{
    return toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
}

using EditBlock = std::function<Result<ConfigEdit>(const toml::table& block)>;

Result<ConfigEdit> withBlock(const QByteArray& toml, const QString& fileName, const FindBlock& find,
                             const EditBlock& edit)
{
    const toml::parse_result file = parsed(toml);
    const toml::table* block = file ? find(file.table()) : nullptr;
    return block && !block->is_inline() ? edit(*block) : notWritten(fileName);
}

// Compares everything except the lines in the file.
bool saysTheSame(const Config& a, const Config& b)
{
    const auto same = [](const auto& x, const auto& y) { return x.saysTheSameAs(y); };
    const auto sameTarget = [](NotifyTarget x, const NotifyTarget& y) {
        x.line = y.line;
        return x == y;
    };
    const auto sameGroup = [](const RedlockGroup& x, const RedlockGroup& y) {
        return x.match == y.match && x.servers == y.servers;
    };
    return std::ranges::equal(a.declarations, b.declarations,
                              [](const DeclarationPtr& x, const DeclarationPtr& y) {
                                  return x->saysTheSameAs(*y);
                              }) &&
           a.ignored == b.ignored && a.check.thresholds == b.check.thresholds &&
           a.check.silence == b.check.silence && a.check.rules == b.check.rules &&
           std::ranges::equal(a.alerts.rules, b.alerts.rules, same) &&
           std::ranges::equal(a.alerts.targets, b.alerts.targets, sameTarget) &&
           a.alerts.quiet == b.alerts.quiet && a.alerts.notify == b.alerts.notify &&
           a.alerts.builtIn == b.alerts.builtIn && a.recording == b.recording &&
           std::ranges::equal(a.redlocks, b.redlocks, sameGroup);
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

bool containsTable(const QByteArray& toml, const char* name)
{
    const toml::parse_result file = parsed(toml);
    return file && file.table().contains(name);
}

FindBlock blockInLine(const char* name, int line)
{
    return [name, line](const toml::table& root) -> const toml::table* {
        const toml::array* all = root.get_as<toml::array>(name);
        for (size_t i = 0; all && i < all->size(); ++i) {
            const toml::table* table = (*all)[i].as_table();
            if (table && int(table->source().begin.line) == line)
                return table;
        }
        return nullptr;
    };
}

Result<ConfigEdit> changedBlock(const QByteArray& toml, const QString& fileName,
                                const FindBlock& find, const std::vector<BlockField>& before,
                                const std::vector<BlockField>& now, EditedLines edited)
{
    return withBlock(toml, fileName, find, [&](const toml::table& block) -> Result<ConfigEdit> {
        ConfigLines lines(toml);
        const int first = int(block.source().begin.line);
        int last = lastLineOf(block);
        std::vector<int> changed;
        std::vector<int> removed;
        for (size_t i = 0; i < now.size(); ++i) {
            const toml::node* node = block.get(now[i].name);
            if (now[i].value == before[i].value)
                continue;
            if (node && node->source().begin.line != node->source().end.line)
                return notWritten(fileName);
            if (!node) {
                lines.insertAfter(last, QByteArray(now[i].name) + " = " + now[i].value);
                changed.push_back(++last);
                continue;
            }
            const int line = int(node->source().begin.line);
            if (!now[i].value.isEmpty()) {
                lines.replace(node->source(), now[i].value);
                changed.push_back(line);
            } else if (isAlone(lines.line(line), now[i].name)) {
                removed.push_back(line);
            } else {
                return notWritten(fileName);
            }
        }
        // From below, so that those above stay where they were.
        std::sort(removed.rbegin(), removed.rend());
        for (const int line : removed)
            lines.remove(line);
        if (edited == EditedLines::Block) {
            changed.resize(size_t(last - first + 1) - removed.size());
            std::iota(changed.begin(), changed.end(), first);
        }
        if (changed.empty())
            return notWritten(fileName);
        QByteArrayList written;
        for (const int line : changed)
            written << lines.line(line);
        const auto [from, to] = std::ranges::minmax(changed);
        return ConfigEdit{lines.text(), written.join('\n'), from, to};
    });
}

Result<ConfigEdit> removedBlock(const QByteArray& toml, const QString& fileName,
                                const FindBlock& find)
{
    return withBlock(toml, fileName, find, [&](const toml::table& block) {
        ConfigLines lines(toml);
        const int first = int(block.source().begin.line);
        QByteArrayList removed;
        for (int line = lastLineOf(block); line >= first; --line) {
            removed.prepend(lines.line(line));
            lines.remove(line);
        }
        return ConfigEdit{lines.text(), removed.join('\n'), first, first};
    });
}

Result<ConfigEdit> checkedEdit(const QByteArray& toml, const QString& fileName,
                               const std::function<Result<ConfigEdit>(Config& config)>& make)
{
    Result<Config> config = parseConfig(toml, fileName);
    if (!config)
        return tl::unexpected(config.error());
    const Result<ConfigEdit> edit = make(*config);
    if (!edit)
        return edit;
    const Result<Config> after = parseConfig(edit->text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    return saysTheSame(*config, *after) ? edit : notWritten(fileName);
}

} // namespace lk
