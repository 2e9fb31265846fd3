print("skyros")
