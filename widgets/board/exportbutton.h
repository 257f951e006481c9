// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolButton>

#include <functional>

namespace lk {

/// Above a board's table: a menu of the ways in which its rows leave the program.
class ExportButton final : public QToolButton
{
    Q_OBJECT

public:
    explicit ExportButton(QWidget* parent = nullptr);

    void add(const QString& way, std::function<void()> run);

private:
};

} // namespace lk
