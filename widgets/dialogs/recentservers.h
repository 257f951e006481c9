// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/redis/url.h"

#include <QList>

#include <optional>

class QSettings;

namespace lk {

/// A server that was opened before, imported, or given by a team file. A value.
struct RecentServer
{
    ServerUrl url; ///< its passwords are always empty
    QString name;  ///< empty: the endpoint stands for it
    QString environment;
    QString configFile;
    QString group = {};    ///< which it is kept in; empty: none
    bool starred = false;  ///< by the person
    bool isShared = false; ///< from a team file: not stored here and not editable

    bool operator==(const RecentServer&) const = default;
};

/// The servers that were read last, the newest first, and those that are starred or in a group.
/// Kept in the settings. Never holds a password, whatever it is given or finds.
class RecentServers final
{
public:
    static constexpr int limit = 10;      ///< servers that are neither starred nor in a group
    static constexpr int mostKept = 1000; ///< servers in total

    /// Reads the stored entries and ignores invalid ones. The settings outlive this.
    explicit RecentServers(QSettings& settings);

    const QList<RecentServer>& list() const { return m_list; }
    /// Moves the server to the front, replacing an entry of the same URL; its group and star stay.
    void add(RecentServer server);
    /// Adds the servers that are missing, at the end and in this order.
    void addAll(const QList<RecentServer>& servers);
    void setStarred(const ServerUrl& url, bool starred);
    void setGroup(const ServerUrl& url, const QString& group); ///< empty: none
    void remove(const ServerUrl& url);

private:
    std::optional<RecentServer> take(const ServerUrl& url);
    void forgetOldest();
    void store();

    QSettings& m_settings;
    QList<RecentServer> m_list;
};

} // namespace lk
