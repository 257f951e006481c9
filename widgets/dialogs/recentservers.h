// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QList>

class QSettings;

namespace lk {

/// A server that was opened before. A value.
struct RecentServer
{
    ServerUrl url; ///< its passwords are always empty
    QString name;  ///< empty: the endpoint stands for it
    QString environment;
    QString configFile;

    bool operator==(const RecentServer&) const = default;
};

/// The servers read last, the newest first, kept in the settings. Never holds a password,
/// whatever it is given or finds.
class RecentServers final
{
public:
    static constexpr int limit = 10;

    /// Reads what is there; entries that make no sense are passed over. The settings outlive this.
    explicit RecentServers(QSettings& settings);

    const QList<RecentServer>& list() const { return m_list; }
    /// Moves the server to the front, replacing an entry of the same URL.
    void add(RecentServer server);
    void remove(const ServerUrl& url);

private:
    void take(const ServerUrl& url);
    void store();

    QSettings& m_settings;
    QList<RecentServer> m_list;
};

} // namespace lk
