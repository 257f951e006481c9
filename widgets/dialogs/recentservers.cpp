// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/dialogs/recentservers.h"

#include <QSettings>

namespace lk {

namespace {

constexpr int mostEntriesRead = 100; // a broken file may claim any number

QString group()
{
    return QStringLiteral("recent-servers");
}

// One line of what a label can show.
QString label(const QVariant& value)
{
    return value.toString().simplified().left(80);
}

} // namespace

RecentServers::RecentServers(QSettings& settings)
    : m_settings(settings)
{
    const int count = qMin(m_settings.beginReadArray(group()), mostEntriesRead);
    for (int i = 0; i < count && m_list.size() < limit; ++i) {
        m_settings.setArrayIndex(i);
        Result<ServerUrl> url = parseServerUrl(m_settings.value(QStringLiteral("url")).toString());
        if (!url)
            continue;
        url->password.clear();
        url->sentinelPassword.clear();
        take(*url); // an entry that is there twice
        m_list.append({*url, label(m_settings.value(QStringLiteral("name"))),
                       label(m_settings.value(QStringLiteral("environment"))),
                       m_settings.value(QStringLiteral("config")).toString()});
    }
    m_settings.endArray();
}

void RecentServers::add(RecentServer server)
{
    server.url.password.clear();
    server.url.sentinelPassword.clear();
    take(server.url);
    m_list.prepend(std::move(server));
    while (m_list.size() > limit)
        m_list.removeLast();
    store();
}

void RecentServers::remove(const ServerUrl& url)
{
    take(url);
    store();
}

void RecentServers::take(const ServerUrl& url)
{
    m_list.removeIf([key = url.withoutPassword()](const RecentServer& server) {
        return server.url.withoutPassword() == key;
    });
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
    }
    m_settings.endArray();
}

} // namespace lk
