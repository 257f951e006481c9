// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/config/config.h"
#include "backend/core/names/glob.h"
#include "backend/text/errortext.h"
#include "tests/support/testprogram.h"

#include <QDirIterator>
#include <QFile>
#include <QTest>

using namespace lk;

/// The resources of the demo: its configuration and the recipes.
class tst_DemoConfig : public QObject
{
    Q_OBJECT

private slots:
    void parses();
    void coversTheDemosNames_data();
    void coversTheDemosNames();
    void recipesSayWhatTheyTake();

private:
    static Result<Config> config()
    {
        QFile file(QStringLiteral(":/demo/demo.toml"));
        if (!file.open(QIODevice::ReadOnly))
            return failure(ErrorCode::FileError, file.errorString());
        return parseConfig(file.readAll(), QStringLiteral("demo.toml"));
    }
};

void tst_DemoConfig::parses()
{
    const Result<Config> read = config();
    QVERIFY2(read, read ? "" : qPrintable(errorText(read.error())));
    QCOMPARE(read->declarations.size(), size_t(17));
}

void tst_DemoConfig::coversTheDemosNames_data()
{
    QTest::addColumn<QByteArray>("key");
    QTest::addColumn<QByteArray>("layout");
    QTest::addColumn<QByteArray>("role");
    QTest::addColumn<QByteArray>("companion");
    const auto row = [](const char* key, const char* layout, const char* role = "",
                        const char* companion = "") {
        QTest::newRow(key) << QByteArray(key) << QByteArray(layout) << QByteArray(role)
                           << QByteArray(companion);
    };
    row("checkout:rate", "rolling-window-retry", "retry", "checkout:retry");
    row("search:rate", "rolling-window");
    row("z:rl:resource:12{12}", "resource-consumer");
    row("z:rl:resource:myduck{myduck}", "resource-consumer");
    row("quota:hits:acme", "fixed-window");
    row("spawn:gate:user:3", "gate");
    row("lock:sync:{eu}", "set-nx-px");
    row("worker:user:7", "set-nx-px");
    row("lock.nightly-export", "setnx-timestamp");
    row("mail:jobs", "reliable-list", "processing", "mail:jobs:processing");
    row("thumbs", "reliable-list", "processing", "thumbs:processing");
    row("code:c17bd6", "string-token");
    row("user_token:0123456789abcdef0123", "hash-token");
    row("events:pending", "event-queue", "helper", "events:pending:helper");
    row("pagewviews.user:7", "navigation-session");
    row("cache:sorted:articles", "sort-cache", "lock", "cache:sorted:articles:lock");
    row("seats:array", "array");
    row("my-rate-limiter", "");
    row("z:rl:resource:12{12}:consumer:1", "");
    row("cache:page:/articles/1", "");
}

void tst_DemoConfig::coversTheDemosNames()
{
    QFETCH(QByteArray, key);
    QFETCH(QByteArray, layout);
    QFETCH(QByteArray, role);
    QFETCH(QByteArray, companion);
    const Result<Config> read = config();
    QVERIFY(read);
    std::vector<DeclarationPtr> matching;
    for (const DeclarationPtr& declaration : read->declarations) {
        if (globMatches(declaration->pattern, key))
            matching.push_back(declaration);
    }
    QCOMPARE(matching.size(), size_t(layout.isEmpty() ? 0 : 1));
    if (layout.isEmpty())
        return;
    QCOMPARE(matching[0]->layout, layout);
    if (!role.isEmpty())
        QCOMPARE(matching[0]->companion(role, key), companion);
}

void tst_DemoConfig::recipesSayWhatTheyTake()
{
    int recipes = 0;
    QDirIterator files(QStringLiteral(":/lua/recipes"));
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray source = file.readAll();
        for (const char* part : {"SPDX-License-Identifier", "-- KEYS ", "-- Returns ", "-- Cost ",
                                 "Mistakes of the well-known version"})
            QVERIFY2(source.contains(part), qPrintable(file.fileName()));
        // Keys are never made up inside: a cluster could not route the script.
        QVERIFY2(!source.contains("KEYS[1] .."), qPrintable(file.fileName()));
        ++recipes;
    }
    QCOMPARE(recipes, 34);
}

LK_TEST(tst_DemoConfig);
#include "tst_democonfig.moc"
