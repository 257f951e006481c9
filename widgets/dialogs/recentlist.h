// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dialogs/recentservers.h"

#include <QListWidget>

#include <optional>

namespace lk {

/// The servers that are known, two lines and a badge each: the starred first, then each group under
/// its title, then the others. Delete forgets the current one.
class RecentList final : public QListWidget
{
    Q_OBJECT

public:
    explicit RecentList(QWidget* parent = nullptr);

    /// Shows the servers that match the filter: a part of name, address, label or group.
    void setServers(const QList<RecentServer>& servers, const QString& filter = {});
    void selectFirst(); ///< does nothing if there is none
    std::optional<RecentServer> current() const;
    std::optional<RecentServer> at(int row) const; ///< nothing: it is a title
    QSize sizeHint() const override { return {264, 320}; }

signals:
    void forgetRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void addTitle(const QString& title);
    void addServer(int place);

    QList<RecentServer> m_servers;
};

} // namespace lk
