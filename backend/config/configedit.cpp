// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/configedit.h"

#include "backend/config/checkconfig.h"
#include "backend/config/config.h"
#include "backend/config/configlines.h"
#include "backend/core/names/foreigntext.h"
#include "backend/core/names/glob.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>

namespace lk {

namespace {

struct ConfigEditText
{
    Q_DECLARE_TR_FUNCTIONS(lk::Config)
};

const DeclarationPtr* declarationOf(const Config& config, const QByteArray& pattern)
{
    const auto it = std::find_if(config.declarations.begin(), config.declarations.end(),
                                 [&](const DeclarationPtr& d) { return d->pattern == pattern; });
    return it == config.declarations.end() ? nullptr : &*it;
}

// The block's table; null if it is not written as a [[limiter]].
const toml::table* blockOf(const toml::table& root, const QByteArray& pattern)
{
    const toml::array* all = root.get_as<toml::array>("limiter");
    for (size_t i = 0; all && i < all->size(); ++i) {
        const toml::table* table = (*all)[i].as_table();
        const auto* key = table ? table->get_as<std::string>("key") : nullptr;
        if (key && QByteArray::fromStdString(key->get()) == pattern && !table->is_inline())
            return table;
    }
    return nullptr;
}

// Sets limit and window in an existing block: replaces the value, or adds a line.
Result<ConfigEdit> changed(const QByteArray& toml, const QString& fileName,
                           const Declaration& wanted)
{
    const toml::parse_result parsed =
        toml::parse(std::string_view(toml.constData(), size_t(toml.size())));
    const toml::table* block = parsed ? blockOf(parsed.table(), wanted.pattern) : nullptr;
    if (!block)
        return notWritten(fileName);
    ConfigLines lines(toml);
    int after = lastLineOf(*block);
    std::vector<int> touched;
    const auto set = [&](const char* name, const QByteArray& value) {
        const toml::node* old = block->get(name);
        if (old && old->source().begin.line != old->source().end.line)
            return false;
        if (old) {
            lines.replace(old->source(), value);
            touched.push_back(int(old->source().begin.line));
        } else {
            lines.insertAfter(after, QByteArray(name) + " = " + value);
            touched.push_back(++after);
        }
        return true;
    };
    if ((wanted.limit && !set("limit", QByteArray::number(*wanted.limit))) ||
        (wanted.windowMs && !set("window", quoted(configDuration(*wanted.windowMs).toLatin1()))) ||
        touched.empty())
        return notWritten(fileName);
    QByteArrayList written;
    for (const int line : touched)
        written << lines.line(line);
    const auto [first, last] = std::minmax_element(touched.begin(), touched.end());
    return ConfigEdit{lines.text(), written.join('\n'), *first, *last};
}

// True if everything else is unchanged: the other declarations, the ignored keys, the silenced
// findings.
bool leavesTheRest(const Config& before, const Config& after, size_t declarations, size_t ignored,
                   size_t silenced)
{
    return after.declarations.size() == before.declarations.size() + declarations &&
           after.ignored.size() == before.ignored.size() + qsizetype(ignored) &&
           after.check.rules.size() == before.check.rules.size() + silenced &&
           after.check.thresholds == before.check.thresholds &&
           after.check.silence == before.check.silence && after.alerts == before.alerts;
}

} // namespace

Result<ConfigEdit> declareLimiter(const QByteArray& toml, const QString& fileName,
                                  const Declaration& wanted)
{
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    const DeclarationPtr* there = declarationOf(*before, wanted.pattern);
    if (there && (*there)->kind != Kind::Limiter)
        return failure(ErrorCode::BadConfig,
                       ConfigEditText::tr("%1:%2: this key is already declared as something else")
                           .arg(fileName)
                           .arg((*there)->line));
    QByteArrayList block{"[[limiter]]", "key = " + quoted(wanted.pattern),
                         "layout = " + quoted(wanted.layout)};
    if (wanted.limit)
        block << "limit = " + QByteArray::number(*wanted.limit);
    if (wanted.windowMs)
        block << "window = " + quoted(configDuration(*wanted.windowMs).toLatin1());
    const Result<ConfigEdit> edit =
        there ? changed(toml, fileName, wanted) : Result<ConfigEdit>(appended(toml, block));
    if (!edit)
        return edit;
    const Result<Config> after = parseConfig(edit->text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    const DeclarationPtr* now = declarationOf(*after, wanted.pattern);
    const bool good = now && (!wanted.limit || (*now)->limit == wanted.limit) &&
                      (!wanted.windowMs || (*now)->windowMs == wanted.windowMs) &&
                      leavesTheRest(*before, *after, there ? 0 : 1, 0, 0);
    return good ? edit : notWritten(fileName);
}

Result<ConfigEdit> declareKeys(const QByteArray& toml, const QString& fileName,
                               const Declaration& wanted)
{
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    if (const DeclarationPtr* there = declarationOf(*before, wanted.pattern))
        return failure(ErrorCode::BadConfig,
                       ConfigEditText::tr("%1:%2: this key is already declared")
                           .arg(fileName)
                           .arg((*there)->line));
    const ConfigEdit edit =
        appended(toml, {"[[" + kindId(wanted.kind) + "]]", "key = " + quoted(wanted.pattern),
                        "layout = " + quoted(wanted.layout)});
    const Result<Config> after = parseConfig(edit.text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    const DeclarationPtr* now = declarationOf(*after, wanted.pattern);
    const bool good = now && (*now)->layout == wanted.layout && (*now)->kind == wanted.kind &&
                      leavesTheRest(*before, *after, 1, 0, 0);
    return good ? Result<ConfigEdit>(edit) : notWritten(fileName);
}

Result<ConfigEdit> ignoreKeys(const QByteArray& toml, const QString& fileName,
                              const QByteArray& pattern)
{
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    const ConfigEdit edit = appended(toml, {"[[ignore]]", "key = " + quoted(pattern)});
    const Result<Config> after = parseConfig(edit.text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    if (!after->ignored.contains(pattern) || !leavesTheRest(*before, *after, 0, 1, 0))
        return notWritten(fileName);
    return edit;
}

Result<ConfigEdit> silenceFinding(const QByteArray& toml, const QString& fileName,
                                  const QByteArray& code, const QByteArray& match)
{
    const Result<Config> before = parseConfig(toml, fileName);
    if (!before)
        return tl::unexpected(before.error());
    QByteArrayList block{"[[silence]]", "code = " + quoted(code)};
    if (!match.isEmpty())
        block << "match = " + quoted(match);
    const ConfigEdit edit = appended(toml, block);
    const Result<Config> after = parseConfig(edit.text, fileName);
    if (!after)
        return tl::unexpected(after.error());
    const bool good = leavesTheRest(*before, *after, 0, 0, 1) &&
                      after->check.rules.back() == SilenceRule{code, match};
    return good ? Result<ConfigEdit>(edit) : notWritten(fileName);
}

QString configDuration(qint64 ms)
{
    constexpr std::pair<qint64, const char*> units[] = {
        {24LL * 3600 * 1000, "d"}, {3600 * 1000, "h"}, {60 * 1000, "m"}, {1000, "s"}, {1, "ms"}};
    const auto* unit = std::find_if(std::begin(units), std::end(units),
                                    [ms](const auto& u) { return ms % u.first == 0; });
    return QString::number(ms / unit->first) + QLatin1String(unit->second);
}

QByteArray patternOf(const QByteArray& name)
{
    const QByteArray pattern = quotedForGlob(name);
    const QString whole = QString::fromUtf8(pattern);
    if (whole.toUtf8() == pattern && foreignText(whole) == whole)
        return pattern;
    // The file is text that the user reads. A byte that is not plain text becomes a wildcard.
    QByteArray text;
    for (const char c : pattern)
        text += c >= 0x20 && c < 0x7f ? c : '?';
    return text;
}

Result<ConfigEdit>
editConfigFile(const QString& path,
               const std::function<Result<ConfigEdit>(const QByteArray& toml)>& change)
{
    // A link stays a link; its target is written.
    const QString file = QFileInfo(path).isSymLink() ? QFileInfo(path).canonicalFilePath() : path;
    QByteArray before;
    if (QFile old(file); old.exists()) {
        if (!old.open(QIODevice::ReadOnly))
            return failure(ErrorCode::FileError,
                           ConfigEditText::tr("%1: %2").arg(path, old.errorString()));
        before = old.readAll();
    } else if (!QDir().mkpath(QFileInfo(file).path())) {
        return failure(ErrorCode::FileError,
                       ConfigEditText::tr("%1: the folder cannot be created").arg(path));
    }
    const Result<ConfigEdit> edit = change(before);
    if (!edit)
        return edit;
    QSaveFile out(file);
    if (!out.open(QIODevice::WriteOnly) || out.write(edit->text) != edit->text.size() ||
        !out.commit())
        return failure(ErrorCode::FileError,
                       ConfigEditText::tr("%1: %2").arg(path, out.errorString()));
    return edit;
}

} // namespace lk
