// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/layouts/layoutscommand.h"

#include "app/cli/layouts/layouttrial.h"
#include "app/process/exitcodes.h"
#include "app/process/output.h"
#include "backend/config/ownlayouts.h"
#include "backend/core/names/foreigntext.h"
#include "backend/libraries/api/layout.h"
#include "backend/libraries/families/files/layoutfilereader.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <array>

namespace lk {

namespace {

struct LayoutsCommandText
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutsCommand)
};

using Row = std::array<QString, 5>;

Row rowOf(const Layout& layout)
{
    const LayoutOrigin origin = layout.origin();
    return {QString::fromLatin1(layout.id()), QString::fromLatin1(kindId(layout.kind())),
            origin.family.isEmpty() ? QStringLiteral("-") : QString::fromLatin1(origin.family),
            origin.library.isEmpty() ? layout.title() : origin.library,
            origin.source.isEmpty() ? LayoutsCommandText::tr("built in") : origin.source};
}

// By kind, then by name.
std::vector<const Layout*> sortedLayouts()
{
    const auto all = allLayouts();
    std::vector<const Layout*> sorted(all.begin(), all.end());
    std::sort(sorted.begin(), sorted.end(), [](const Layout* a, const Layout* b) {
        return a->kind() != b->kind() ? a->kind() < b->kind() : a->id() < b->id();
    });
    return sorted;
}

QString table()
{
    std::vector<Row> rows{{LayoutsCommandText::tr("LAYOUT"), LayoutsCommandText::tr("KIND"),
                           LayoutsCommandText::tr("FAMILY"), LayoutsCommandText::tr("LIBRARY"),
                           LayoutsCommandText::tr("SOURCE")}};
    for (const Layout* layout : sortedLayouts())
        rows.push_back(rowOf(*layout));
    std::array<qsizetype, 5> widths{};
    for (const Row& row : rows) {
        for (size_t i = 0; i < row.size(); ++i)
            widths[i] = std::max(widths[i], row[i].size());
    }
    QString text;
    for (const Row& row : rows) {
        QString line;
        for (size_t i = 0; i < row.size(); ++i)
            line += i + 1 < row.size() ? row[i].leftJustified(widths[i] + 2) : row[i];
        text += foreignText(line) + QLatin1Char('\n');
    }
    return text;
}

QByteArray json()
{
    const auto orNull = [](const QString& text) {
        return text.isEmpty() ? QJsonValue() : QJsonValue(text);
    };
    QJsonArray all;
    for (const Layout* layout : sortedLayouts()) {
        const LayoutOrigin origin = layout->origin();
        all.append(QJsonObject{
            {QStringLiteral("id"), QString::fromLatin1(layout->id())},
            {QStringLiteral("kind"), QString::fromLatin1(kindId(layout->kind()))},
            {QStringLiteral("title"), layout->title()},
            {QStringLiteral("family"), orNull(QString::fromLatin1(origin.family))},
            {QStringLiteral("library"), orNull(origin.library)},
            {QStringLiteral("versions"), orNull(origin.versions)},
            {QStringLiteral("url"), orNull(origin.url)},
            {QStringLiteral("file"), orNull(origin.source)},
        });
    }
    return QJsonDocument(all).toJson();
}

int check(const QStringList& files)
{
    Output out;
    int code = ExitDone;
    for (const QString& path : files) {
        const Result<LayoutFile> file = loadLayoutFile(path);
        if (file) {
            out.print(LayoutsCommandText::tr("%1: the layout %2, a %3 of the family %4\n")
                          .arg(foreignText(path), QString::fromLatin1(file->id),
                               QString::fromLatin1(kindId(file->kind)),
                               QString::fromLatin1(file->family)));
            continue;
        }
        reportError(file.error());
        const bool wrong = file.error().code == ErrorCode::BadConfig;
        code = std::max(code, int(wrong ? ExitFound : ExitUsage));
    }
    return out.end(code);
}

} // namespace

int runLayouts(const Invocation& invocation)
{
    if (!invocation.words.isEmpty())
        return check(invocation.words);
    if (!invocation.tryLayout.isEmpty())
        return runLayoutTrial(invocation);
    if (const Result<void> added = addOwnLayouts(invocation.layoutsFolder); !added)
        return reportError(added.error());
    Output out;
    if (invocation.format == Invocation::Format::Json)
        out.write(json());
    else
        out.print(table());
    return out.end(ExitDone);
}

} // namespace lk
