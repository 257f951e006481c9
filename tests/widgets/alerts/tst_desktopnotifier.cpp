// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/testprogram.h"
#include "widgets/notify/desktopnotifier.h"

#include <QDBusConnection>
#include <QProcess>
#include <QSignalSpy>
#include <QTest>

#include <csignal>
#include <sys/prctl.h>

using namespace lk;
using namespace Qt::StringLiterals;

/// A desktop's notification service: keeps the notifications that it was asked to show.
class Notifications final : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public:
    struct Shown
    {
        uint replaces;
        QString icon;
        QString title;
        QString body;
        QStringList actions;
        QVariantMap hints;
    };
    std::vector<Shown> shown;

public slots:
    uint Notify(const QString&, uint replaces, const QString& icon, const QString& title,
                const QString& body, const QStringList& actions, const QVariantMap& hints, int)
    {
        shown.push_back({replaces, icon, title, body, actions, hints});
        return replaces != 0 ? replaces : uint(40 + shown.size());
    }

signals:
    void ActionInvoked(uint id, const QString& action);
    void NotificationClosed(uint id, uint reason);
};

// On a session bus of its own.
class TestDesktopNotifier : public QObject
{
    Q_OBJECT

private:
    static QByteArray notification(const QByteArray& event, const QByteArrayList& names)
    {
        QByteArrayList alerts;
        for (const QByteArray& name : names)
            alerts << "{\"id\":\"id-" + name + "\",\"name\":\"" + name +
                          "\",\"text\":\"3 jobs <b>stuck</b>\",\"severity\":\"error\"}";
        return "{\"event\":\"" + event +
               "\",\"title\":\"a title\",\"deployment\":\"orders\","
               "\"alerts\":[" +
               alerts.join(',') + "]}";
    }

    QProcess m_bus;
    Notifications m_desktop;

private slots:
    void initTestCase()
    {
        m_bus.setChildProcessModifier([] { ::prctl(PR_SET_PDEATHSIG, SIGKILL); });
        m_bus.start(u"dbus-daemon"_s, {u"--session"_s, u"--nofork"_s, u"--print-address"_s});
        QVERIFY(m_bus.waitForStarted() && m_bus.waitForReadyRead());
        const QByteArray address = m_bus.readLine().trimmed();
        qputenv("DBUS_SESSION_BUS_ADDRESS", address);
        QDBusConnection desktop =
            QDBusConnection::connectToBus(QString::fromLocal8Bit(address), u"desktop"_s);
        QVERIFY(desktop.registerObject(u"/org/freedesktop/Notifications"_s, &m_desktop,
                                       QDBusConnection::ExportAllSlots |
                                           QDBusConnection::ExportAllSignals));
        QVERIFY(desktop.registerService(u"org.freedesktop.Notifications"_s));
    }
    void cleanupTestCase()
    {
        QDBusConnection::disconnectFromBus(u"desktop"_s);
        m_bus.kill();
        m_bus.waitForFinished();
    }

    void showsAndReplacesAndIsPressed()
    {
        DesktopNotifier notifier;
        QSignalSpy activated(&notifier, &DesktopNotifier::activated);
        notifier.show(notification("fired", {"mail"}));
        QTRY_COMPARE_WITH_TIMEOUT(m_desktop.shown.size(), size_t(1), 15'000);
        const Notifications::Shown first = m_desktop.shown[0];
        QCOMPARE(first.title, u"a title"_s);
        QCOMPARE(first.body, u"3 jobs &lt;b&gt;stuck&lt;/b&gt;\norders"_s); // never markup
        QCOMPARE(first.hints.value(u"urgency"_s).toInt(), 2);
        QCOMPARE(first.replaces, 0U);
        QVERIFY(first.actions.contains(u"default"_s));
        // Once its number is known, what ends it takes its place.
        QTRY_VERIFY_WITH_TIMEOUT(
            (emit m_desktop.ActionInvoked(41, u"default"_s), !activated.isEmpty()), 15'000);
        QCOMPARE(activated.front().front().toByteArray(), QByteArray("id-mail"));
        notifier.show(notification("resolved", {"mail"}));
        QTRY_COMPARE_WITH_TIMEOUT(m_desktop.shown.size(), size_t(2), 15'000);
        QCOMPARE(m_desktop.shown[1].replaces, 41U);
        QCOMPARE(m_desktop.shown[1].hints.value(u"urgency"_s).toInt(), 0);
    }

    void aSummaryIsShort()
    {
        DesktopNotifier notifier;
        const size_t before = m_desktop.shown.size();
        notifier.show(notification("summary", {"a", "b", "c", "d", "e", "f", "g", "h"}));
        QTRY_COMPARE_WITH_TIMEOUT(m_desktop.shown.size(), before + 1, 15'000);
        const QStringList lines = m_desktop.shown.back().body.split(u'\n');
        QCOMPARE(lines.size(), 7); // five, that there are more, and whose
        QVERIFY(lines[0].startsWith(u"a: "_s));
    }
};

LK_TEST(TestDesktopNotifier);
#include "tst_desktopnotifier.moc"
