// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dialogs/recentservers.h"

#include <QListWidget>

#include <optional>

namespace lk {

/// The recent servers, two lines and a badge each. Delete forgets the current one.
class RecentList final : public QListWidget
{
    Q_OBJECT

public:
    explicit RecentList(QWidget* parent = nullptr);

    void setServers(const QList<RecentServer>& servers);
    std::optional<RecentServer> current() const;
    QSize sizeHint() const override { return {264, 320}; }

signals:
    void forgetRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QList<RecentServer> m_servers;
};

} // namespace lk
