// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/core/kind.h"

#include <QAbstractButton>

namespace lk {

/// One board's place on the rail: icon, title, count, and the worst state's icon.
class RailButton final : public QAbstractButton
{
    Q_OBJECT

public:
    RailButton(const QString& iconName, const QString& title, QWidget* parent = nullptr);

    void setCount(qint64 count, Health worst);
    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_iconName;
    qint64 m_count = -1;
    Health m_worst = Health::Idle;
};

} // namespace lk
