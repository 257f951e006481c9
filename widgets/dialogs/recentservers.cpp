// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/recentservers.h"

#include <QSettings>

#include <algorithm>

namespace lk {

namespace {

QString group()
{
    return QStringLiteral("recent-servers");
}

// Returns the value as one line that a label can show.
QString label(const QVariant& value)
{
    return value.toString().simplified().left(80);
}

} // namespace

RecentServers::RecentServers(QSettings& settings)
    : m_settings(settings)
{
    const int count = qMin(m_settings.beginReadArray(group()), mostKept);
    for (int i = 0; i < count; ++i) {
        m_settings.setArrayIndex(i);
        Result<ServerUrl> url = parseServerUrl(m_settings.value(QStringLiteral("url")).toString());
        if (!url)
            continue;
        url->password.clear();
        url->sentinelPassword.clear();
        take(*url); // an entry that is there twice
        m_list.append({*url, label(m_settings.value(QStringLiteral("name"))),
                       label(m_settings.value(QStringLiteral("environment"))),
                       m_settings.value(QStringLiteral("config")).toString(),
                       label(m_settings.value(QStringLiteral("group"))),
                       m_settings.value(QStringLiteral("starred")).toBool()});
    }
    m_settings.endArray();
    forgetOldest();
}

void RecentServers::add(RecentServer server)
{
    server.url.password.clear();
    server.url.sentinelPassword.clear();
    if (const std::optional<RecentServer> before = take(server.url)) {
        server.group = before->group;
        server.starred = before->starred;
    }
    m_list.prepend(std::move(server));
    forgetOldest();
    store();
}

void RecentServers::addAll(const QList<RecentServer>& servers)
{
    for (RecentServer server : servers) {
        server.url.password.clear();
        server.url.sentinelPassword.clear();
        const QString key = server.url.withoutPassword();
        const bool known = std::any_of(m_list.begin(), m_list.end(), [&](const RecentServer& one) {
            return one.url.withoutPassword() == key;
        });
        if (!known && m_list.size() < mostKept)
            m_list.append(std::move(server));
    }
    forgetOldest();
    store();
}

void RecentServers::setStarred(const ServerUrl& url, bool starred)
{
    for (RecentServer& server : m_list) {
        if (server.url.withoutPassword() == url.withoutPassword())
            server.starred = starred;
    }
    forgetOldest();
    store();
}

void RecentServers::setGroup(const ServerUrl& url, const QString& group)
{
    for (RecentServer& server : m_list) {
        if (server.url.withoutPassword() == url.withoutPassword())
            server.group = label(group);
    }
    forgetOldest();
    store();
}

// Servers that the user has starred or grouped are kept.
void RecentServers::forgetOldest()
{
    int loose = 0;
    m_list.removeIf([&](const RecentServer& server) {
        return !server.starred && server.group.isEmpty() && ++loose > limit;
    });
}

void RecentServers::remove(const ServerUrl& url)
{
    take(url);
    store();
}

std::optional<RecentServer> RecentServers::take(const ServerUrl& url)
{
    std::optional<RecentServer> taken;
    m_list.removeIf([&, key = url.withoutPassword()](const RecentServer& server) {
        if (server.url.withoutPassword() != key)
            return false;
        taken = server;
        return true;
    });
    return taken;
}

void RecentServers::store()
{
    m_settings.remove(group());
    m_settings.beginWriteArray(group(), int(m_list.size()));
    for (int i = 0; i < m_list.size(); ++i) {
        m_settings.setArrayIndex(i);
        m_settings.setValue(QStringLiteral("url"), m_list[i].url.withoutPassword());
        m_settings.setValue(QStringLiteral("name"), m_list[i].name);
        m_settings.setValue(QStringLiteral("environment"), m_list[i].environment);
        m_settings.setValue(QStringLiteral("config"), m_list[i].configFile);
        m_settings.setValue(QStringLiteral("group"), m_list[i].group);
        m_settings.setValue(QStringLiteral("starred"), m_list[i].starred);
    }
    m_settings.endArray();
}

} // namespace lk
