// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;

namespace lk {

/// Asks the user to type a server's name before write mode is turned on. This avoids turning it on
/// for the wrong server.
class TypedNameDialog final : public QDialog
{
    Q_OBJECT

public:
    explicit TypedNameDialog(const QString& name, QWidget* parent = nullptr);
};

} // namespace lk
