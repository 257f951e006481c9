// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/program.h"
#include "tests/support/redisserver.h"
#include "tests/support/testprogram.h"

#include <QFile>

using namespace lk;
using namespace Qt::StringLiterals;
using test::Program;

/// Where no file is given, window and commands read the same one.
class TestConfigFile : public QObject
{
    Q_OBJECT

private:
    test::RedisServer m_server;
    static bool write(const QString& path, const QByteArray& text)
    {
        QFile file(path);
        return QDir().mkpath(QFileInfo(path).path()) && file.open(QIODevice::WriteOnly) &&
               file.write(text) == text.size();
    }
    // XDG_CONFIG_HOME is the program's home in tests.
    static QString defaultFile(const Program& program)
    {
        return program.home() + u"/lockkeeper/lockkeeper.toml"_s;
    }

private slots:
    void initTestCase() { QVERIFY2(m_server.start(), m_server.output()); }
    void init()
    {
        m_server.flush();
        m_server.lines({"RPUSH work a", "RPUSH hands b", "SET lock:orphan me"});
    }
    void snapshotReadsIt();
    void checkReadsIt();
    void actReadsIt();
    void aGivenFileComesFirst();
    void aBrokenOneIsRefused_data();
    void aBrokenOneIsRefused();
};

namespace {
const QByteArray declared =
    "[[queue]]\nkey = \"work\"\nlayout = \"reliable-list\"\nprocessing = \"hands\"\n"
    "[check]\nsilence = [\"lock-without-ttl\"]\n";
}

void TestConfigFile::snapshotReadsIt()
{
    Program without;
    QVERIFY(without.run({u"snapshot"_s, m_server.urlText()}));
    QVERIFY(!without.out().contains("in-progress 1"));
    Program with;
    QVERIFY(write(defaultFile(with), declared));
    QVERIFY(with.run({u"snapshot"_s, m_server.urlText()}));
    QCOMPARE(with.exitCode(), 0);
    QVERIFY2(with.out().contains("in-progress 1"), with.out().constData());
}

void TestConfigFile::checkReadsIt()
{
    Program without;
    QVERIFY(without.run({u"check"_s, m_server.urlText(), u"--fail-on"_s, u"info"_s}));
    QCOMPARE(without.exitCode(), 1);
    QVERIFY(!without.out().contains("silenced: 1"));
    Program with;
    QVERIFY(write(defaultFile(with), declared));
    QVERIFY(with.run({u"check"_s, m_server.urlText(), u"--fail-on"_s, u"info"_s}));
    QVERIFY2(with.out().contains("silenced: 1"), with.out().constData());
}

void TestConfigFile::actReadsIt()
{
    const QStringList requeue{u"act"_s,  m_server.urlText(), u"queue"_s, u"requeue"_s,
                              u"work"_s, u"--all"_s,         u"--yes"_s};
    Program without;
    QVERIFY(without.run(requeue));
    QCOMPARE(without.exitCode(), 1);
    Program with;
    QVERIFY(write(defaultFile(with), declared));
    QVERIFY(with.run(requeue));
    QVERIFY2(with.exitCode() == 0, with.err().constData());
    QCOMPARE(m_server.line("LLEN work").integer, 2);
    QCOMPARE(m_server.line("LLEN hands").integer, 0);
}

void TestConfigFile::aGivenFileComesFirst()
{
    Program program;
    const QString other = program.home() + u"/other.toml"_s;
    QVERIFY(write(defaultFile(program), "not = toml = at all"));
    QVERIFY(write(other, declared));
    QVERIFY(program.run({u"snapshot"_s, m_server.urlText(), u"--config"_s, other}));
    QCOMPARE(program.exitCode(), 0);
    QVERIFY(program.out().contains("in-progress 1"));
}

void TestConfigFile::aBrokenOneIsRefused_data()
{
    QTest::addColumn<QString>("line");
    for (const char* line : {"snapshot URL", "check URL", "screenshots URL shots",
                             "act URL queue requeue work --all --yes"})
        QTest::newRow(line) << QString::fromLatin1(line);
}

void TestConfigFile::aBrokenOneIsRefused()
{
    QFETCH(QString, line);
    Program program;
    QVERIFY(write(defaultFile(program), "[[queue]]\nkye = \"work\"\n"));
    QVERIFY(program.run(line.replace(u"URL"_s, m_server.urlText()).split(u' ')));
    QCOMPARE(program.exitCode(), 2);
    QVERIFY2(program.err().contains("lockkeeper/lockkeeper.toml:2: "), program.err().constData());
    QCOMPARE(program.err().count('\n'), 1);
    QCOMPARE(program.out(), QByteArray());
    QCOMPARE(m_server.line("LLEN hands").integer, 1);
}

LK_TEST(TestConfigFile);
#include "tst_configfile.moc"
