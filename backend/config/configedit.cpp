// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/configedit.h"

#include "backend/config/blockedit.h"
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

DeclarationPtr declarationOf(const Config& config, const QByteArray& pattern)
{
    const auto it = std::find_if(config.declarations.begin(), config.declarations.end(),
                                 [&](const DeclarationPtr& d) { return d->pattern == pattern; });
    return it == config.declarations.end() ? nullptr : *it;
}

// The kind, pattern and layout alone.
Declaration bareDeclaration(const Declaration& wanted)
{
    Declaration bare;
    bare.kind = wanted.kind;
    bare.pattern = wanted.pattern;
    bare.layout = wanted.layout;
    return bare;
}

// Its lines in a new block.
std::vector<BlockField> keyFields(const Declaration& wanted)
{
    return {{"key", quoted(wanted.pattern)}, {"layout", quoted(wanted.layout)}};
}

} // namespace

Result<ConfigEdit> declareLimiter(const QByteArray& toml, const QString& fileName,
                                  const Declaration& wanted)
{
    const auto make = [&](Config& config) -> Result<ConfigEdit> {
        const DeclarationPtr there = declarationOf(config, wanted.pattern);
        if (there && there->kind != Kind::Limiter)
            return failure(
                ErrorCode::BadConfig,
                ConfigEditText::tr("%1:%2: this key is already declared as something else")
                    .arg(fileName)
                    .arg(there->line));
        Declaration now = there ? *there : bareDeclaration(wanted);
        const std::vector<BlockField> none{{"limit", {}}, {"window", {}}};
        std::vector<BlockField> fields = none;
        if (wanted.limit) {
            now.limit = wanted.limit;
            fields[0].value = QByteArray::number(*wanted.limit);
        }
        if (wanted.windowMs) {
            now.windowMs = wanted.windowMs;
            fields[1].value = quoted(configDuration(*wanted.windowMs).toLatin1());
        }
        const DeclarationPtr declared = std::make_shared<Declaration>(now);
        if (!there) {
            config.declarations.push_back(declared);
            const std::vector<BlockField> first = keyFields(wanted);
            fields.insert(fields.begin(), first.begin(), first.end());
            return appended(toml, blockOf("[[limiter]]", fields));
        }
        std::replace(config.declarations.begin(), config.declarations.end(), there, declared);
        return changedBlock(toml, fileName, blockInLine("limiter", there->line), none, fields,
                            EditedLines::Changed);
    };
    return checkedEdit(toml, fileName, make);
}

Result<ConfigEdit> declareKeys(const QByteArray& toml, const QString& fileName,
                               const Declaration& wanted)
{
    return checkedEdit(toml, fileName, [&](Config& config) -> Result<ConfigEdit> {
        if (const DeclarationPtr there = declarationOf(config, wanted.pattern))
            return failure(ErrorCode::BadConfig,
                           ConfigEditText::tr("%1:%2: this key is already declared")
                               .arg(fileName)
                               .arg(there->line));
        config.declarations.push_back(std::make_shared<Declaration>(bareDeclaration(wanted)));
        return appended(toml, blockOf("[[" + kindId(wanted.kind) + "]]", keyFields(wanted)));
    });
}

Result<ConfigEdit> ignoreKeys(const QByteArray& toml, const QString& fileName,
                              const QByteArray& pattern)
{
    return checkedEdit(toml, fileName, [&](Config& config) {
        config.ignored << pattern;
        return appended(toml, {"[[ignore]]", "key = " + quoted(pattern)});
    });
}

Result<ConfigEdit> silenceFinding(const QByteArray& toml, const QString& fileName,
                                  const QByteArray& code, const QByteArray& match)
{
    return checkedEdit(toml, fileName, [&](Config& config) {
        config.check.rules.push_back({code, match});
        return appended(
            toml, blockOf("[[silence]]", {{"code", quoted(code)},
                                          {"match", match.isEmpty() ? match : quoted(match)}}));
    });
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
