// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/libraries/families/files/family.h"
#include "backend/libraries/families/files/layoutfilereader.h"
#include "backend/libraries/families/files/processlayouts.h"

#include <QCoreApplication>
#include <QDir>
#include <QHash>

#include <algorithm>
#include <array>

// The list of all layouts in code: each has a file that ends in LK_LAYOUT, and a line here.
#define LK_LAYOUTS(X)                                                                              \
    X(rollingWindow)                                                                               \
    X(rollingWindowRetry)                                                                          \
    X(resourceConsumer)                                                                            \
    X(redissonRateLimiter)                                                                         \
    X(bucket4j)                                                                                    \
    X(bottleneck)                                                                                  \
    X(djangoThrottle)                                                                              \
    X(symfonyRateLimiter)                                                                          \
    X(fixedWindow)                                                                                 \
    X(gate)                                                                                        \
    X(redisPyLock)                                                                                 \
    X(laravelLock)                                                                                 \
    X(laravelFunnel)                                                                               \
    X(distributedLock)                                                                             \
    X(hashLock)                                                                                    \
    X(distributedReaderWriter)                                                                     \
    X(redissonLock)                                                                                \
    X(redissonPermitSemaphore)                                                                     \
    X(redissonSemaphore)                                                                           \
    X(symfonySemaphore)                                                                            \
    X(sidekiqUniqueJobs)                                                                           \
    X(rubyRedisSemaphore)                                                                          \
    X(rueidisLock)                                                                                 \
    X(nextcloudLock)                                                                               \
    X(discourseMutex)                                                                              \
    X(tokenBucket)                                                                                 \
    X(setNxPx)                                                                                     \
    X(setNxTimestamp)                                                                              \
    X(authJsToken)                                                                                 \
    X(stringToken)                                                                                 \
    X(hashToken)                                                                                   \
    X(bullMq)                                                                                      \
    X(bull)                                                                                        \
    X(rq)                                                                                          \
    X(sidekiq)                                                                                     \
    X(laravelQueue)                                                                                \
    X(celery)                                                                                      \
    X(streamGroup)                                                                                 \
    X(asynq)                                                                                       \
    X(gocraftWork)                                                                                 \
    X(rmq)                                                                                         \
    X(dramatiq)                                                                                    \
    X(arq)                                                                                         \
    X(saq)                                                                                         \
    X(machinery)                                                                                   \
    X(hangfire)                                                                                    \
    X(faktory)                                                                                     \
    X(beeQueue)                                                                                    \
    X(rsmq)                                                                                        \
    X(kue)                                                                                         \
    X(groupMq)                                                                                     \
    X(resque)                                                                                      \
    X(reliableList)                                                                                \
    X(circularList)                                                                                \
    X(eventQueue)                                                                                  \
    X(navigationSession)                                                                           \
    X(counter)                                                                                     \
    X(bitmap)                                                                                      \
    X(sortCache)                                                                                   \
    X(weightedSet)                                                                                 \
    X(fixedArray)

namespace lk {

#define LK_DECLARE(name) const Layout& layouts_##name();
LK_LAYOUTS(LK_DECLARE)
#undef LK_DECLARE

namespace {

struct Text
{
    Q_DECLARE_TR_FUNCTIONS(lk::LayoutFile)
};

// The layouts that main() added. They come first when the list is built.
std::vector<std::unique_ptr<const Layout>>& addedLayouts()
{
    static std::vector<std::unique_ptr<const Layout>> added;
    return added;
}

std::vector<LayoutFile> readBuiltIn()
{
    std::vector<LayoutFile> files;
    const QDir folder(QStringLiteral(":/layouts"));
    for (const QString& name : folder.entryList(QDir::Files, QDir::Name)) {
        Result<LayoutFile> file = loadLayoutFile(folder.filePath(name));
        if (!file) { // a test reads all of them
            qCritical("%s", qUtf8Printable(file.error().detail));
            continue;
        }
        file->source.clear();
        files.push_back(std::move(*file));
    }
    return files;
}

std::unique_ptr<const Layout> makeLayout(LayoutFile file)
{
    const Family* family = findFamily(file.family);
    return family->make(std::make_shared<LayoutFile>(std::move(file)));
}

struct Table
{
    std::vector<std::unique_ptr<const Layout>> fromFiles;
    std::vector<const Layout*> all; ///< the operator's own first: the first of equal claims wins
    QHash<QByteArray, const Layout*> byId;
};

Table makeTable()
{
    Table table;
    table.fromFiles = std::move(addedLayouts());
    for (LayoutFile& file : readBuiltIn())
        table.fromFiles.push_back(makeLayout(std::move(file)));
    for (const auto& layout : table.fromFiles)
        table.all.push_back(layout.get());
#define LK_ADD(name) table.all.push_back(&layouts_##name());
    LK_LAYOUTS(LK_ADD)
#undef LK_ADD
    for (const Layout* layout : table.all)
        table.byId.insert(layout->id(), layout);
    return table;
}

const Table& theTable()
{
    static const Table table = makeTable();
    return table;
}

bool isTaken(const QByteArray& id)
{
    const auto has = [&](const auto& layouts) {
        return std::any_of(layouts.begin(), layouts.end(),
                           [&](const auto& l) { return l->id() == id; });
    };
#define LK_ADDRESS(name) &layouts_##name(),
    static const std::array inCode = {LK_LAYOUTS(LK_ADDRESS)};
#undef LK_ADDRESS
    return has(inCode) || has(addedLayouts()) ||
           QFile::exists(QStringLiteral(":/layouts/%1.toml").arg(QString::fromLatin1(id)));
}

} // namespace

Result<void> addLayout(LayoutFile file)
{
    if (isTaken(file.id))
        return failure(ErrorCode::BadConfig,
                       Text::tr("%1: the layout %2 already exists; choose another id")
                           .arg(file.source, QString::fromLatin1(file.id)));
    addedLayouts().push_back(makeLayout(std::move(file)));
    return {};
}

std::span<const Layout* const> allLayouts()
{
    return theTable().all;
}

const Layout* findLayout(const QByteArray& id)
{
    // The same few are looked up for each key of a scan. Comparing is faster than hashing.
    static thread_local const Layout* last = nullptr;
    if (last && last->id() == id)
        return last;
    const Layout* found = theTable().byId.value(id, nullptr);
    if (found)
        last = found;
    return found;
}

const Layout* plainestLayout(Kind kind, KeyType type)
{
    const auto all = allLayouts();
    const auto it = std::find_if(all.begin(), all.end(), [&](const Layout* l) {
        return l->kind() == kind && l->isPlainest(type);
    });
    return it == all.end() ? nullptr : *it;
}

QString exampleDeclaration(Kind kind)
{
    for (const Layout* layout : allLayouts()) {
        const QString example = layout->kind() == kind ? layout->exampleDeclaration() : QString();
        if (!example.isEmpty())
            return example;
    }
    return {};
}

std::span<const Column> columnsOf(const Primitive& primitive)
{
    const Layout* layout = findLayout(primitive.id.layout);
    return layout ? layout->columns() : columns(primitive.kind);
}

std::span<const Metric> metricsOf(const Primitive& primitive)
{
    const Layout* layout = findLayout(primitive.id.layout);
    return layout ? layout->metrics() : metrics(primitive.kind);
}

std::vector<Column> ownColumns(const Primitive& primitive)
{
    const auto common = columns(primitive.kind);
    std::vector<Column> own;
    for (const Column& column : columnsOf(primitive)) {
        if (std::none_of(common.begin(), common.end(),
                         [&](const Column& c) { return c.text == column.text; }))
            own.push_back(column);
    }
    return own;
}

QString layoutTitle(const QByteArray& id)
{
    const Layout* layout = findLayout(id);
    return layout ? layout->title() : QString::fromLatin1(id);
}

const std::vector<QByteArray>& probedHashFields()
{
    static const std::vector<QByteArray> fields = [] {
        std::vector<QByteArray> all;
        for (const Layout* layout : allLayouts()) {
            for (QByteArray& field : layout->hashFields()) {
                if (std::find(all.begin(), all.end(), field) == all.end())
                    all.push_back(std::move(field));
            }
        }
        return all;
    }();
    return fields;
}

} // namespace lk
